import { setFlagsFromString } from 'node:v8';
import { afterAll, describe, expect, test } from 'vitest';
import { oneIn } from '../../../../test/support/rounds.js';
import { changed, codesOf, read } from './payroll-file.js';

const MIB = 1024 * 1024;

// A process with many patterns no longer optimizes new ones, which then need more of the stack.
setFlagsFromString('--no-regexp-optimization');
afterAll(() => setFlagsFromString('--regexp-optimization'));

const laughs = `<!DOCTYPE a [<!ENTITY l "lol">${Array.from(
  { length: 20 },
  (_, n) => `<!ENTITY l${n} "${`&l${n - 1};`.repeat(10)}">`,
).join('')}]><a>&l19;</a>`;

/** Attacks, each with its expected finding. `parse-xml.test.ts` has the short ones. */
const attacks: [string, () => string, string][] = [
  ['billion laughs', () => laughs, 'forbiddenDoctype'],
  [
    'quadratic blow-up',
    () => `<!DOCTYPE a [<!ENTITY l "${'l'.repeat(MIB)}">]><a>${'&l;'.repeat(MIB)}</a>`,
    'forbiddenDoctype',
  ],
  ['entities without a document type', () => `<a>${'&l;'.repeat(MIB)}</a>`, 'forbiddenEntity'],
  [
    'external entity',
    () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    'forbiddenDoctype',
  ],
  ['5 MB of <a>', () => '<a>'.repeat(1.75 * MIB), 'nestedTooDeep'],
  ['5 MB of </a>', () => '</a>'.repeat(1.25 * MIB), 'malformedXml'],
  ['5 MB of <', () => '<'.repeat(5 * MIB), 'malformedXml'],
  ['5 MB of &', () => `<a>${'&'.repeat(5 * MIB)}</a>`, 'malformedXml'],
  ['5 MB of a name', () => `<${'a'.repeat(5 * MIB)}/>`, 'malformedXml'],
  ['5 MB of an attribute', () => `<a b="${'c'.repeat(5 * MIB)}"/>`, 'tagTooLong'],
  ['5 MB of an attribute without end', () => `<a b="${'c'.repeat(5 * MIB)}`, 'tagTooLong'],
  ['5 MB of attributes', () => `<a${' b="c"'.repeat(MIB)}/>`, 'malformedXml'],
  [
    'a million attributes',
    () => `<a${Array.from({ length: MIB }, (_, n) => ` b${n}="c"`).join('')}/>`,
    'tagTooLong',
  ],
  ['24 MB of white space in a tag', () => `<a ${' '.repeat(24 * MIB)}`, 'tagTooLong'],
  ['24 MB of white space before =', () => `<a b${' '.repeat(24 * MIB)}c`, 'tagTooLong'],
  ['24 MB of white space in an end tag', () => `<a></a${' '.repeat(24 * MIB)}>`, 'malformedXml'],
  ['24 MB of white space in the declaration', () => `<?xml${' '.repeat(24 * MIB)}`, 'malformedXml'],
  ['24 MB of the name of an instruction', () => `<?${'a'.repeat(24 * MIB)}`, 'malformedXml'],
  ['5 MB of comments', () => `${'<!---->'.repeat(0.75 * MIB)}`, 'malformedXml'],
  ['5 MB of <!--', () => '<!--'.repeat(1.25 * MIB), 'malformedXml'],
  ['5 MB of <![CDATA[', () => `<a>${'<![CDATA['.repeat(0.5 * MIB)}`, 'malformedXml'],
  ['5 MB of <?', () => '<?a '.repeat(1.25 * MIB), 'malformedXml'],
  ['5 MB of line ends', () => '\n'.repeat(5 * MIB), 'malformedXml'],
  ['25 MB of carriage returns', () => `<r>${'\r'.repeat(24.9 * MIB)}</r>`, 'noBooking'],
  [
    'a long unknown path in each of many elements',
    () =>
      `<r>${`<${'a'.repeat(100)}>`.repeat(14)}${'<b/>'.repeat(400_000)}${`</${'a'.repeat(100)}>`.repeat(14)}</r>`,
    'tooManyElements',
  ],
  [
    'findings in alternating order after many lines',
    () => {
      const social = '<Social><Transactions>x</Transactions><SeqNumber a=""/></Social>';
      return `${'\n'.repeat(20 * MIB)}<r>${social.repeat(20_000)}</r>`;
    },
    'missingElement',
  ],
  ['a label of 5 MB', () => changed('Groep', 'G'.repeat(5 * MIB)), 'textTooLong'],
  ['JSON', () => '{"Social": []}', 'malformedXml'],
];

describe('CODB: hostile files', () => {
  test.each(oneIn(3, attacks))('%s', (_, file, code) => {
    // Reading is linear and takes at most about a second. A quadratic algorithm would time out.
    const reading = read(file());
    expect(reading.documents).toBeUndefined();
    expect(codesOf(reading)).toContain(code);
    expect(JSON.stringify(reading.findings).length).toBeLessThan(100_000);
  });
});
