import type { PrintedLanguage, PrintedTexts } from './printed-texts.js';
import { germanTexts } from './printed-texts-de.js';
import { englishTexts } from './printed-texts-en.js';
import { frenchTexts } from './printed-texts-fr.js';
import { dutchTexts } from './printed-texts-nl.js';

export const textsOfLanguage: Readonly<Record<PrintedLanguage, PrintedTexts>> = {
  fr: frenchTexts,
  nl: dutchTexts,
  de: germanTexts,
  en: englishTexts,
};
