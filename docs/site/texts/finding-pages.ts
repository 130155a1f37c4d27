import { uploadFindings } from '../../../packages/server/src/uploads/documents/finding.js';
import {
  codaFindings,
  codbFindings,
  type FindingKind,
} from '../../../packages/statements/src/index.js';
import { findingGuide } from './finding-guide.js';

/** The catalogues of findings, by the name in `<!-- findings: name -->`. */
const catalogues: Readonly<Record<string, Readonly<Record<string, FindingKind>>>> = {
  CODA: codaFindings,
  CODB: codbFindings,
  service: uploadFindings,
};

const advice: Readonly<Record<string, string>> = findingGuide;

/**
 * Returns the findings of a catalogue with one severity in Markdown: a heading for each code, so
 * that the search finds it, with its text and, for those of the service, what to do. Findings of
 * files of the operator are left out.
 *
 * @param value the catalogue and the severity: `CODA error`
 *
 * @throws if there is no such catalogue
 */
export function findingList(value: string): string {
  const [name = '', severity] = value.split(' ');
  const catalogue = catalogues[name];
  if (catalogue === undefined) throw new Error(`There is no catalogue of findings ${name}`);
  return Object.entries(catalogue)
    .filter(([code, kind]) => kind.severity === severity && (name !== 'service' || code in advice))
    .map(([code, { text }]) => {
      const action = name === 'service' ? ` ${advice[code]}` : '';
      return `### ${code} {#${code}}\n\n${text}.${action}`;
    })
    .join('\n\n');
}
