import type { Language } from '@adx/contract';
import type { Request } from 'express';
import { languages } from './texts/all-texts.js';

/** The language that a link of the page asks for by `?lang=`; nothing when it is none of ours. */
export function chosenLanguage(request: Request): Language | undefined {
  const { lang } = request.query;
  return languages.find((language) => language === lang);
}

/** The language for a person of whom only the browser is known. */
export function browserLanguage(request: Request): Language {
  const accepted = request.acceptsLanguages('en', 'fr', 'nl', 'de');
  return languages.find((language) => language === accepted) ?? 'en';
}
