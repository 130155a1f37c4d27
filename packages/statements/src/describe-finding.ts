import { type CodaFindingCode, codaFindings } from './coda/finding-catalogue.js';
import { codaFindingsDe } from './coda/finding-texts-de.js';
import { codaFindingsFr } from './coda/finding-texts-fr.js';
import { codaFindingsNl } from './coda/finding-texts-nl.js';
import { type CodbFindingCode, codbFindings } from './codb/findings/finding-catalogue.js';
import { codbFindingsDe } from './codb/findings/finding-texts-de.js';
import { codbFindingsFr } from './codb/findings/finding-texts-fr.js';
import { codbFindingsNl } from './codb/findings/finding-texts-nl.js';
import type { Finding, FindingKind } from './finding.js';
import { describeValues, type FindingLanguage, type FindingTexts } from './finding-language.js';

/** The properties of a finding that its description uses. */
type Described<Code extends string> = Pick<Finding<Code>, 'code' | 'found' | 'expected' | 'field'>;

function describeBy<Code extends string>(
  english: Readonly<Record<Code, FindingKind>>,
  translations: Readonly<Record<Exclude<FindingLanguage, 'en'>, FindingTexts<Code>>>,
): (finding: Described<Code>, language: FindingLanguage) => string {
  return (finding, language) => {
    const { code } = finding;
    const text = language === 'en' ? english[code].text : translations[language][code];
    return describeValues(text, finding, language);
  };
}

/**
 * Describes a finding of `readCoda`, with what was found and what was expected.
 *
 * @example describeCodaFinding(finding, 'nl') // 'Het debettotaal in het slotrecord is fout: 1.000 in plaats van 2.000'
 */
export const describeCodaFinding = describeBy<CodaFindingCode>(codaFindings, {
  fr: codaFindingsFr,
  nl: codaFindingsNl,
  de: codaFindingsDe,
});

/** Describes a finding of `readCodb`, with what was found and what was expected. */
export const describeCodbFinding = describeBy<CodbFindingCode>(codbFindings, {
  fr: codbFindingsFr,
  nl: codbFindingsNl,
  de: codbFindingsDe,
});
