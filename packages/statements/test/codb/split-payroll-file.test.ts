import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { readCodb } from '../../src/codb/read-codb.js';
import { payrollFile, read, social } from './payroll-file.js';

const socials = [
  social(1),
  social(1, 'BE0477472701').replace('Söhne', '<![CDATA[Œ <&]]><!-- \r\n --> ő'),
  social(2),
];

describe('CODB: a file of several bookings', () => {
  const { documents = [], findings } = read(payrollFile(...socials));

  test('each is a document with its own file', () => {
    expect(findings).toEqual([]);
    expect(
      documents.map(({ sequenceNumber, enterpriseNumber }) => [sequenceNumber, enterpriseNumber]),
    ).toEqual([
      [1, '0403019261'],
      [1, '0477472701'],
      [2, '0403019261'],
    ]);
  });

  test('its file contains the same booking, and is not split again', () => {
    for (const document of documents) {
      const again = readCodb(document.bytes);
      expect(again.findings).toEqual([]);
      expect(again.documents).toEqual([document]);
    }
  });

  test('no byte of it is changed', () => {
    documents.forEach(({ bytes }, index) => {
      expect(Buffer.from(bytes).includes(socials[index] ?? '-')).toBe(true);
    });
  });

  test('another parser reads it, with its source, version and namespaces', () => {
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });
    const parsed = parser.parse(Buffer.from(documents[2]?.bytes ?? []), true);
    expect(parsed.SocialDocument).toMatchObject({
      '@_xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      Source: 'Groep S – Sociaal Secretariaat',
      Version: '1.2',
      Social: { SeqNumber: '2' },
    });
  });

  test('the file is valid UTF-8 if the original has prefixes and another encoding', () => {
    const prefixed = payrollFile(social(1), social(2))
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1s:')
      .replace('xmlns:xsi', 'xmlns:s="urn:soda" xmlns:xsi')
      .replace('UTF-8', 'UTF-16');
    const reading = readCodb(Buffer.from(`\uFEFF${prefixed}`, 'utf16le'));
    expect(reading.findings).toEqual([]);
    for (const document of reading.documents ?? []) {
      expect(readCodb(document.bytes)).toMatchObject({ documents: [document], findings: [] });
      expect(Buffer.from(document.bytes).toString()).toMatch(/<\/s:SocialDocument>\n$/);
    }
  });
});
