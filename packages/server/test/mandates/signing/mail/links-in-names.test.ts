import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../../../test/support/rounds.js';
import { signatureRequestMail } from '../../../../src/mandates/signing/mail/signature-request-mail.js';
import { seededRandom } from '../../../support/seeded-random.js';
import { aSignatureRequest, languages, link } from './a-signature-request.js';

/**
 * Matches the texts that mail programs turn into links. Some programs accept any character in a
 * host name.
 */
const linked = {
  'a URL': /\b(?:https?|ftp|file):\/\/\S/i,
  'a URL without slashes': /\b(?:mailto|tel|sms|javascript|data):\S/i,
  'www.': /\bwww\.\S/i,
  'a domain': /[\p{L}\p{N}-]+[.\u2024\u3002\uff0e\uff61][\p{L}\p{N}-]{2,}/u,
  'a domain with any character before its last label': /\S\.(?:com|net|org|be|example)\b/i,
  'an address': /[\w.+-]+[@\uff20\ufe6b][\p{L}\p{N}-]/u,
  'an address with any host': /[\w.+-]@\S/,
  'an IP address': /\d+\.\d+\.\d+\.\d+/,
};

const links = [
  'http://evil.example/sign?a=1',
  'https://evil.example',
  'HTTPS://EVIL.COM',
  'ftp://evil.com',
  'www.evil.com',
  'WWW.evil.be/login',
  'evil.com',
  'a.b.evil.com/x',
  'évil.be',
  'evil\uff0ecom',
  'evil\u3002com',
  'spy@evil.com',
  'mailto:spy@evil.com',
  'javascript:alert(1)',
  '192.0.2.7',
  'xn--vil-9la.com',
];

/** Returns the parts of a mail that name the customer, without the link of the request. */
function partsOf(name: string): string[] {
  return languages.flatMap((language) => {
    const names = { firmName: name, customerName: name, contactName: name };
    const firm = { firmEmail: null, firmPhone: null };
    const mandates = [
      { product: 'CODA', iban: 'BE71096123456769', bankName: name, isLightConnector: false },
      { product: 'CODB', payrollProviderName: name },
    ] as const;
    const { subject, text, html } = signatureRequestMail(
      aSignatureRequest({ ...names, ...firm, mandates, language, enterpriseNumber: '-' }),
      link,
    );
    const body = html.slice(html.indexOf('<body')).replaceAll(/<[^>]*>/g, ' ');
    const title = /<title>(.*)<\/title>/.exec(html)?.[1] ?? '';
    return [subject, title, text.replaceAll(link, ' '), body.replaceAll(link, ' ')];
  });
}

/** Returns the name of a pattern that finds a link in a text. */
const findLink = (text: string) =>
  Object.entries(linked).find(([, pattern]) => pattern.test(text))?.[0];

describe('D-36 a name does not become a link', () => {
  test('D-36 the patterns of this test find all these links', () => {
    for (const each of links)
      expect([each, findLink(`Bakkerij ${each} BV`)]).not.toContain(undefined);
  });

  test.each(links)('D-36 %s', (name) => {
    for (const part of partsOf(`Bakkerij ${name} BV`)) {
      expect(findLink(part)).toBeUndefined();
      expect(part.replaceAll('\u200c', '').replaceAll(/\s+/g, ' ')).toContain(
        `Bakkerij ${name} BV`.replaceAll('&', '&amp;'),
      );
    }
  });

  test('D-36 whatever it is made of', () => {
    const random = seededRandom(36);
    const pieces = [
      ...['evil', 'www', 'com', 'be', '.', '.', ':', '//', '@', 'http', 'mailto', ' ', '-', '7'],
    ];
    for (let round = 0; round < rounds({ short: 60, all: 300 }); round += 1) {
      const length = 2 + Math.floor(random() * 9);
      const name = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join(
        '',
      );
      const [found] = partsOf(name).flatMap((part) => findLink(part) ?? []);
      expect([name, found]).toEqual([name, undefined]);
    }
  });

  test('D-36 ordinary names stay as they are', () => {
    for (const name of [
      'Bakkerij Peeters & Zn. Mol',
      'Dr. J. Maes',
      "Brouwerij 't Hert",
      'Süß: alles',
    ]) {
      const { subject } = signatureRequestMail(aSignatureRequest({ customerName: name }), link);
      expect(subject).toContain(name);
    }
  });
});
