import fc from 'fast-check';
import { expect } from 'vitest';
import { type StatementDraft, type WriteCodaOptions, writeCoda } from '../../src/index.js';
import { readAll } from './coda-file.js';
import { anyCharacters, statements } from './statement-arbitrary.js';
import { writtenPart } from './written-part.js';

/** The characters tried in files of each encoding. */
const characters = {
  'utf-8': anyCharacters,
  'windows-1252': [...'AZaz09 +/.éèàçüÉ'],
  'iso-8859-15': [...'AZaz09 +/.éèàçüÉ'],
  // Only characters that distinguish cp850 from windows-1252 in any context.
  cp850: [...'AZaz09 +/.çü'],
} as const;

/** Asserts that written statements are read back, and written again to the same bytes. */
export async function checkRoundTrips(
  encoding: NonNullable<WriteCodaOptions['encoding']>,
  numRuns: number,
): Promise<void> {
  const file = fc.record({
    drafts: fc.array(statements(characters[encoding]), { minLength: 1, maxLength: 3 }),
    lineEnd: fc.constantFrom('\r\n' as const, '\n' as const),
    finalLineEnd: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ drafts, ...options }) => {
      const given = encoding === 'utf-8' ? drafts : drafts.map(withEvidence);
      const bytes = writeCoda(given, { encoding, ...options });
      const results = await readAll(bytes);
      const read = results.map(({ statement }) => statement);
      expect(read.map((one) => one && writtenPart(one))).toEqual(given);
      const again = writeCoda(
        read.flatMap((one) => one ?? []),
        { encoding, ...options },
      );
      expect(Buffer.compare(again, bytes)).toBe(0);
      expect(Buffer.compare(Buffer.concat(results.map((one) => one.bytes)), bytes)).toBe(0);
    }),
    { numRuns },
  );
}

/** Returns a word by which the encoding is detected. */
function withEvidence(draft: StatementDraft): StatementDraft {
  return { ...draft, header: { ...draft.header, addressee: 'Société Zürich' } };
}
