import { type CodaFindingCode, codaFindings } from './coda/finding-catalogue.js';
import { codaFindingsDe } from './coda/finding-texts-de.js';
import { codaFindingsFr } from './coda/finding-texts-fr.js';
import { codaFindingsNl } from './coda/finding-texts-nl.js';
import { type CodbFindingCode, codbFindings } from './codb/findings/finding-catalogue.js';
import { codbFindingsDe } from './codb/findings/finding-texts-de.js';
import { codbFindingsFr } from './codb/findings/finding-texts-fr.js';
import { codbFindingsNl } from './codb/findings/finding-texts-nl.js';
import type { Finding } from './finding.js';
import { describeValues, type FindingLanguage, type FindingTexts } from './finding-language.js';

type Translations<Code extends string> = Readonly<
  Record<Exclude<FindingLanguage, 'en'>, FindingTexts<Code>>
>;

const codaTexts: Translations<CodaFindingCode> = {
  fr: codaFindingsFr,
  nl: codaFindingsNl,
  de: codaFindingsDe,
};

const codbTexts: Translations<CodbFindingCode> = {
  fr: codbFindingsFr,
  nl: codbFindingsNl,
  de: codbFindingsDe,
};

/**
 * Describes a finding of `readCoda`, with what was found and what was expected.
 *
 * @example describeCodaFinding(finding, 'nl') // 'Het debettotaal in het slotrecord is fout: 1.000 in plaats van 2.000'
 */
export function describeCodaFinding(
  finding: Pick<Finding<CodaFindingCode>, 'code' | 'found' | 'expected' | 'field'>,
  language: FindingLanguage,
): string {
  const { code } = finding;
  const text = language === 'en' ? codaFindings[code].text : codaTexts[language][code];
  return describeValues(text, finding, language);
}

/** Describes a finding of `readCodb`, with what was found and what was expected. */
export function describeCodbFinding(
  finding: Pick<Finding<CodbFindingCode>, 'code' | 'found' | 'expected' | 'field'>,
  language: FindingLanguage,
): string {
  const { code } = finding;
  const text = language === 'en' ? codbFindings[code].text : codbTexts[language][code];
  return describeValues(text, finding, language);
}
