import type { Weight } from '../../codegen/src/diff/compare/change.js';

export function hasSection(changelog: string, version: string): boolean {
  return changelog.includes(`\n## [${version}]`);
}

/** Returns the weight of the text under "Unreleased": packages can change without the interface. */
export function weightOfUnreleased(changelog: string): Weight {
  const text = findUnreleased(changelog) ?? '';
  if (/^### Breaking$/m.test(text)) return 'major';
  return /^### Added$/m.test(text) ? 'minor' : 'patch';
}

/**
 * Returns the text under "Unreleased", after the changes of the interface.
 *
 * @param date `YYYY-MM-DD`
 * @param changes the gate's lines, with headings of the third level
 * @returns undefined if the changelog has no section "Unreleased", or it would be empty
 */
export function newSection(
  changelog: string,
  version: string,
  date: string,
  changes: readonly string[],
): string | undefined {
  const unreleased = findUnreleased(changelog);
  if (unreleased === undefined) return undefined;
  const interfaceLines =
    changes.length === 0 ? [] : ['### Interface', '', ...changes.map(asSubsection)];
  const parts = [interfaceLines.join('\n'), unreleased.trim()].filter((part) => part !== '');
  return parts.length === 0 ? undefined : [`## [${version}] - ${date}`, ...parts].join('\n\n');
}

/** Puts a section in place of the text under "Unreleased". */
export function withSection(changelog: string, section: string): string {
  const unreleased = findUnreleased(changelog) ?? '';
  const start = changelog.indexOf(heading) + heading.length;
  const rest = changelog.slice(start + unreleased.length);
  return `${changelog.slice(0, start)}\n${section}\n${rest === '' ? '' : `\n${rest}`}`;
}

const heading = '## [Unreleased]\n';

/** Returns the text between the heading "Unreleased" and the next version. */
function findUnreleased(changelog: string): string | undefined {
  const start = changelog.indexOf(heading);
  if (start === -1) return undefined;
  const [text] = changelog.slice(start + heading.length).split(/^(?=## )/m);
  return text;
}

function asSubsection(line: string): string {
  return line.startsWith('### ') ? `#${line}` : line;
}
