import { expect, test } from 'vitest';
import { readCodbDocuments } from '../../../src/uploads/documents/codb-documents.js';
import { codbFile, enterpriseNumber } from '../sample-files.js';

test('D-29 all content that the format does not define tells bookings apart, and that of others in the file does not', () => {
  const [one, other] = [enterpriseNumber(), enterpriseNumber()].map((each) => ({
    enterpriseNumber: each,
  }));
  if (one === undefined || other === undefined) expect.fail();
  const hashes = (bookings: readonly { enterpriseNumber: string }[], last: string) => {
    const notes = `${'<Note>x</Note>'.repeat(10_000)}<Note>${last}</Note>`;
    const file = Buffer.from(codbFile(...bookings)).toString();
    const parsed = [
      ...readCodbDocuments(Buffer.from(file.replace('</Social>', `${notes}</Social>`)), 1),
    ];
    return parsed.map(({ document }) => document?.contentHash.toString('hex'));
  };
  const [alone] = hashes([one], 'a');
  expect(hashes([one], 'a')).toEqual([alone]);
  expect(hashes([one, other], 'a')[0]).toBe(alone);
  expect(hashes([one], 'b')).not.toEqual([alone]);
  expect(hashes([other, one], 'a')[1]).toBe(hashes([other, one], 'b')[1]);
});
