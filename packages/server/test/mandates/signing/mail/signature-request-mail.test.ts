import { describe, expect, onTestFinished, test } from 'vitest';
import { longDate, longDay } from '../../../../src/dates/brussels-day.js';
import { signatureRequestMail } from '../../../../src/mandates/signing/mail/signature-request-mail.js';
import { startMailServer } from '../../../mail/mail-server.js';
import { openMailer } from '../../../mail/test-mailer.js';
import { aSignatureRequest, languages, link } from './a-signature-request.js';

/** Replaces line breaks with spaces. */
const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Returns the text that a mail program shows of HTML. */
function shown(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return unwrapped(
    body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&(\w+);/g, (_, name) => characters[name] ?? '?'),
  );
}

describe.each(languages)('§4.5 the request to sign, in %s', (language) => {
  const request = aSignatureRequest({ language });
  const mail = signatureRequestMail(request, link);

  test.each([
    ['text', unwrapped(mail.text)],
    ['HTML', shown(mail.html)],
  ])('§4.5 its %s contains the firm, the customer, the mandates and the last day', (_, content) => {
    expect(content).toContain('Cœur & Janssens SRL');
    expect(content).toContain('Bäckerei Süß & Söhne');
    expect(content).toContain('0812.345.603');
    expect(content).toContain('Jürgen Groß');
    expect(content).toContain('BE71 0961 2345 6769');
    expect(content).toContain('BELFIUS BANK');
    expect(content).toContain('BE68 5390 0754 7034');
    expect(content).toContain('180');
    expect(content).toContain('Group S – Secrétariat Social');
    expect(content).toContain(longDate(request.expiresOn, language));
    expect(content).toContain('CODA');
    expect(content).toContain('CODB');
    expect(content).toContain(link);
    expect(content).not.toMatch(/undefined|null|\[object/);
  });

  test.each([
    ['text', unwrapped(mail.text)],
    ['HTML', shown(mail.html)],
  ])('D-36 its %s says how to reach the firm', (_, content) => {
    expect(content).toMatch(
      /([Qq]uestions|Vragen|Fragen)\s?\?[^?]+Cœur & Janssens SRL\s?: info@coeur-janssens\.example \+32 9 000 00 01/,
    );
    expect(mail.html).toContain('href="mailto:info@coeur-janssens.example"');
    expect(mail.html).toContain('href="tel:+3290000001"');
  });

  test('D-36 it asks for no questions if nobody knows how to reach the firm', () => {
    const silent = { ...request, firmEmail: null, firmPhone: null };
    const { text, html } = signatureRequestMail(silent, link);
    for (const part of [text, shown(html)]) expect(part).not.toMatch(/Questions|Vragen|Fragen/);
    const called = signatureRequestMail({ ...silent, firmPhone: '09/000.00.01' }, link);
    expect(called.html).toContain('href="tel:090000001"');
    expect(called.html).not.toContain('mailto:');
  });

  test('§4.5 its subject names firm and customer', () => {
    expect(mail.subject).toContain('Cœur & Janssens SRL');
    expect(mail.subject).toContain('Bäckerei Süß & Söhne');
  });

  test('§4.5 its text has the link on a separate line, and no line is too long', () => {
    expect(mail.text.split('\n')).toContain(link);
    for (const line of mail.text.split('\n').filter((text) => text !== link)) {
      expect(line.length).toBeLessThanOrEqual(72);
    }
  });

  test('§4.5 its HTML has the link as a button and in full, names its language, loads nothing', () => {
    expect(mail.html).toMatch(/^<!DOCTYPE html><html lang="(fr|nl|de|en)">/);
    expect(mail.html).toContain(`<html lang="${language}">`);
    expect(mail.html.split(`href="${link}"`)).toHaveLength(3);
    expect(mail.html).not.toMatch(/<img|<script|<link |\bsrc=|url\(|@import/);
  });

  test('§4.5 a request for one product does not mention the other', () => {
    const [account, , provider] = request.mandates;
    const ofAccount = signatureRequestMail(
      { ...request, mandates: account ? [account] : [] },
      link,
    );
    expect(ofAccount.text).toContain('CODA');
    expect(ofAccount.text).not.toMatch(/CODB|180/);
    expect(ofAccount.html).not.toMatch(/CODB|180 /);
    const ofProvider = signatureRequestMail(
      { ...request, mandates: provider ? [provider] : [] },
      link,
    );
    expect(ofProvider.text).toContain('CODB');
    expect(ofProvider.text).not.toContain('CODA');
    expect(ofProvider.html).not.toContain('CODA');
  });

  test('§4.5 the wording for one mandate differs from that for several', () => {
    const [account, second] = request.mandates;
    const one = signatureRequestMail({ ...request, mandates: account ? [account] : [] }, link);
    const two = signatureRequestMail(
      { ...request, mandates: account && second ? [account, second] : [] },
      link,
    );
    expect(unwrapped(one.text)).not.toMatch(/\b1 mand/i);
    expect(unwrapped(two.text)).toMatch(/\b2 (mandats|mandaten|Mandate|mandates)\b/);
  });

  test('D-24 a renewal names its last day in the request, beside the account and at the end', () => {
    const consent = { product: 'CODA', iban: 'BE68539007547034', isLightConnector: true } as const;
    const mandates = [{ ...consent, renewsUntil: '2027-01-05' }];
    const renewal = signatureRequestMail({ ...request, mandates }, link);
    expect(renewal.subject).not.toBe(mail.subject);
    const lastDay = longDay('2027-01-05', language);
    for (const content of [unwrapped(renewal.text), shown(renewal.html)]) {
      expect(content.split(lastDay)).toHaveLength(1 + 3);
      expect(content).toContain('180');
    }
  });

  test('§4.5 it passes a mail server unchanged', async () => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const mailer = await openMailer({ to: { smtpUrl: `smtp://127.0.0.1:${server.port}` } });
    const to = { name: request.contactName, address: 'juergen@suess.example' };
    await mailer.send({ ...mail, to, id: '0123456789abcdef01234567.1', language });
    const arrived = server.delivered[0]?.mail;
    expect(arrived?.to).toEqual([to]);
    expect(arrived?.subject).toBe(mail.subject);
    expect(arrived?.text?.trimEnd()).toBe(mail.text.trimEnd());
    expect(arrived?.html?.trimEnd()).toBe(mail.html);
  });
});

describe('§4.5 the request to sign, with malicious names', () => {
  const harm = '<script>alert(1)</script>"\'&<a href="https://evil.example">';

  test.each(['firmName', 'customerName', 'contactName'] as const)(
    '§4.5 HTML in %s is shown as text',
    (field) => {
      const { html } = signatureRequestMail(aSignatureRequest({ [field]: harm }), link);
      expect(html).not.toContain('<script');
      expect(html).not.toContain('href="https://evil.example"');
      expect(shown(html)).toContain('<script>alert(1)</script>');
    },
  );

  test('§4.5 HTML in the name of a bank or provider is shown as text', () => {
    const { html } = signatureRequestMail(
      aSignatureRequest({
        mandates: [
          { product: 'CODA', iban: 'BE71096123456769', bankName: harm, isLightConnector: false },
          { product: 'CODB', payrollProviderName: harm },
        ],
      }),
      link,
    );
    expect(html).not.toMatch(/<script|href="https:\/\/evil/);
  });

  test('§4.5 a link is escaped in its attribute', () => {
    const { html } = signatureRequestMail(aSignatureRequest(), `${link}?a="><b>&c=1`);
    expect(html).not.toContain('"><b>');
  });

  test.each(['\n', '\r\n', '\r', '\u2028', '\u0085', '\v'])(
    '§4.5 %j in a name adds no lines',
    (lineEnd) => {
      const own = 'https://evil.example/sign';
      const name = `Jan${lineEnd}${lineEnd}${own}${lineEnd}x`;
      const provider = { product: 'CODB', payrollProviderName: name } as const;
      const { mandates } = aSignatureRequest();
      const { subject, text } = signatureRequestMail(
        aSignatureRequest({
          firmName: name,
          customerName: name,
          contactName: name,
          mandates: [
            ...mandates,
            provider,
            { product: 'CODA', iban: 'BE71096123456769', bankName: name, isLightConnector: false },
          ],
        }),
        link,
      );
      expect(subject).not.toMatch(/[\p{Cc}\u2028]/u);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028]/u);
      expect(text.split('\n')).not.toContain(own);
      expect(unwrapped(text).replaceAll('\u200c', '')).toContain(`Jan ${own} x`);
    },
  );

  test('§4.5 marks that change the text direction are removed from names', () => {
    const request = aSignatureRequest({ customerName: 'ACME\u202e moc.live\u2066' });
    const { subject, text, html } = signatureRequestMail(request, link);
    for (const content of [subject, text, html]) expect(content).not.toMatch(/[\u202e\u2066]/);
  });
});
