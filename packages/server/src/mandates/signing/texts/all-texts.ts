import type { Language } from '@adx/contract';
import { de } from './de.js';
import { en, type SigningTexts } from './en.js';
import { fr } from './fr.js';
import { nl } from './nl.js';

/** The texts of each language (D-13), in the order of the language links. */
export const textsIn: Readonly<Record<Language, SigningTexts>> = { fr, nl, de, en };

export const languages = Object.keys(textsIn) as readonly Language[];
