import type { Language } from '@adx/contract';
import { de } from './de.js';
import { en } from './en.js';
import { fr } from './fr.js';
import { nl } from './nl.js';
import type { SigningPageTexts } from './signing-page-texts.js';

/** The page in every language (D-13), in the order in which the page offers them. */
export const textsIn: Readonly<Record<Language, SigningPageTexts>> = { fr, nl, de, en };

/** The languages of the page. */
export const languages = Object.keys(textsIn) as readonly Language[];
