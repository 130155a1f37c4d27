import type { Change, Direction, Weight } from './compare/change.js';
import { and } from './compare/compare-members.js';
import { affectedBy, type Usage } from './usage.js';
import type { Weighing } from './weigh.js';

export function formatJson(weighing: Weighing, usage?: Usage): string {
  const changes = weighing.changes.map((change) => {
    const { weight, text } = change;
    const calls = callsOf(change, operationsOf(change).join(', '));
    const place = `${positionOf(change)}, ${calls}`;
    const affected = usage && weight === 'major' ? affectedBy(change, usage) : undefined;
    return { weight, place, text, ...(affected && { affected }) };
  });
  return JSON.stringify({ bump: weighing.bump, changes }, undefined, 2);
}

/**
 * Formats the changes as text: each with its place, then the next version, then the text of the
 * changelog.
 */
export function formatReport(weighing: Weighing, usage?: Usage): string {
  const changes = formatChanges(weighing, usage);
  return weighing.bump === 'none' ? changes : [changes, '', ...changelogOf(weighing)].join('\n');
}

/** Formats the changes as text: each with its place, then the next version. */
export function formatChanges(weighing: Weighing, usage?: Usage): string {
  const { bump, changes, released } = weighing;
  const lines = changes.flatMap((change) => [
    `${positionOf(change)} ${change.weight} ${change.text}`,
    ...shownCalls(change, weighing).map((calls) => `    in ${calls}`),
    ...(usage && change.weight === 'major' ? [`    ${usersOf(change, usage)}`] : []),
  ]);
  if (bump === 'none') return `Nothing changed since ${released.name}.`;
  const next = released.version && nextVersion(released.version, bump);
  const then = next ? ` After ${released.version} comes ${next}.` : '';
  return [...lines, '', `${countsOf(weighing)}.${then}`].join('\n');
}

function positionOf({ node }: Change): string {
  const { file, line, column } = node.position;
  return `${file}:${line}:${column}`;
}

const directions: Readonly<Record<Direction, string>> = {
  request: 'requests',
  response: 'responses',
  error: 'errors',
};

/** Returns `requests and responses of getCustomer`, or only the operations. */
function callsOf({ uses }: Change, operations: string): string {
  const parts = Object.entries(directions).flatMap(([direction, plural]) =>
    uses.some((use) => use.direction === direction) ? [plural] : [],
  );
  return parts.length > 0 ? `${and(parts)} of ${operations}` : operations;
}

function operationsOf({ uses }: Change): string[] {
  return [...new Set(uses.map(({ operation }) => operation))];
}

/** Returns the same with at most four operations, or three and the number of the others. */
function shownCalls(change: Change, { released }: Weighing): string[] {
  const operations = operationsOf(change);
  const [first, ...others] = operations.map((name) => `\`${name}\``);
  if (first === undefined || (others.length === 0 && isNamed(change, first))) return [];
  const isAll = others.length > 2 && operations.length >= released.api.operations.length;
  if (isAll) return [callsOf(change, 'all operations')];
  const shown =
    others.length > 3
      ? [first, ...others.slice(0, 2), `${others.length - 2} more`]
      : [first, ...others];
  return [callsOf(change, and(shown))];
}

/** Returns true if the text names the operation: `getCustomer`, or its body. */
function isNamed({ text }: Change, operation: string): boolean {
  return [operation, `${operation.slice(0, -1)} `].some((each) => text.includes(each));
}

function usersOf(change: Change, usage: Usage): string {
  const affected = affectedBy(change, usage);
  if (affected.length === 0) return `used by nobody from ${usage.from} to ${usage.to}`;
  const partners = affected.map(({ partner, lastUsed }) => `${partner} (last ${lastUsed})`);
  return `used by ${partners.join(', ')}`;
}

/** Returns `3 changes since releases/1.0.0/openapi.yaml: 1 major and 2 patch`. */
function countsOf({ changes, released }: Weighing): string {
  const counts = (['major', 'minor', 'patch'] as const).flatMap((weight) => {
    const count = changes.filter((change) => change.weight === weight).length;
    return count > 0 ? [`${count} ${weight}`] : [];
  });
  const amount = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return `${amount} since ${released.name}: ${and(counts)}`;
}

/** Returns the version that follows another: after `1.0.0`, a minor change makes `1.1.0`. */
export function nextVersion(version: string, bump: Weight): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Returns the changelog, where one line stands for all changes that only people read. */
export function changelogOf(weighing: Weighing): string[] {
  const { changes } = weighing;
  const prose = changes.some(({ kind }) => kind === 'prose')
    ? ['- Descriptions and examples.']
    : [];
  const rest = changes.filter(({ kind }) => kind !== 'prose');
  const isAdded = ({ weight, kind }: Change) => weight !== 'major' && kind === 'addition';
  const sections = {
    Breaking: rest.filter(({ weight }) => weight === 'major').map(toLine),
    Added: rest.filter(isAdded).map(toLine),
    Changed: [
      ...rest.filter((change) => change.weight !== 'major' && !isAdded(change)).map(toLine),
      ...prose,
    ],
  };
  return Object.entries(sections)
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines], index) => [...(index > 0 ? [''] : []), `### ${title}`, '', ...lines]);

  function toLine(change: Change): string {
    const [calls] = shownCalls(change, weighing);
    return `- ${change.text.replace(/\.$/, '')}${calls ? ` (${calls})` : ''}.`;
  }
}
