import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { readPdf } from '../../../../statements/test/pdf/read-pdf.js';
import { textsIn } from '../../../src/mandates/signing/texts/all-texts.js';
import { refusal, startMailServer } from '../../mail/mail-server.js';
import { answerAsShown } from '../answer-as-shown.js';
import { changeEvidence } from '../change-evidence.js';
import { declined, type MandateSetUp, setUpMandates, signed } from '../set-up-mandates.js';

const firm = { name: 'Kantoor Maes', email: 'info@maes.example', phone: '09 000 00 01' };

/** Creates a customer, sends its request, and answers it. Returns the id of the request. */
async function answered(work: MandateSetUp, answer = signed) {
  const { customerId, requestId } = await work.ask();
  await answerAsShown(work.knex, work.token(), answer, work.clock);
  return { customerId, requestId };
}

/** The rows of the mails with evidence, that to the signer first. */
const mailsOf = ({ knex }: MandateSetUp) =>
  knex('outgoing_mails').whereIn('kind', ['confirmation', 'evidence']).orderBy('kind');

/** Returns the mails with evidence, once there are as many. */
async function evidenceMails(work: MandateSetUp, count: number) {
  const rows = () => mailsOf(work);
  await eventually(rows, (all) => all.filter(({ sent_on }) => sent_on !== null).length === count);
  return work.mailServer.delivered.slice(1);
}

const storedOf = async (work: MandateSetUp) => {
  const { content, sha256 } = await work.knex('signature_evidence').first();
  return { content, sha256: sha256.toString('hex') };
};

const attached = (content: unknown) => Buffer.from(content as ArrayBuffer);

describe('D-37 the mails with the evidence of a signature', () => {
  it('D-37 go to the signer and to the firm, with the PDF, the stored text and its hash', async () => {
    const work = await setUpMandates();
    await work.knex('firms').update(firm);
    const { requestId } = await answered(work);
    await work.startWorkers();
    const mails = await evidenceMails(work, 2);
    const { content, sha256 } = await storedOf(work);
    expect(mails.map(({ envelopeTo }) => envelopeTo).sort()).toEqual([
      ['an@bakkerij.example'],
      ['info@maes.example'],
    ]);
    for (const { mail, envelopeTo } of mails) {
      const isSigner = envelopeTo[0] === 'an@bakkerij.example';
      expect(mail.subject).toBe('Ondertekende mandaten voor Bakkerij De Gouden Korst');
      expect(mail.messageId).toBe(
        `<${requestId}.evidence.${isSigner ? 'signer' : 'firm'}@adx.example>`,
      );
      expect(mail.to?.[0]?.name).toBe(isSigner ? 'An Peeters' : 'Kantoor Maes');
      expect(mail.replyTo).toEqual(
        isSigner ? [{ name: 'Kantoor Maes', address: 'info@maes.example' }] : undefined,
      );
      for (const text of [mail.text, mail.html]) {
        expect(text).toContain(sha256);
        expect(text?.replaceAll(/\s+/g, ' ')).toContain('An Peeters heeft 2 mandaten ondertekend');
        expect(text?.includes('Hebt u niet ondertekend?')).toBe(isSigner);
        expect(text?.includes('/sign/')).toBe(false);
      }
      const [pdf, json] = mail.attachments;
      expect([pdf?.filename, pdf?.mimeType]).toEqual([
        `evidence-${requestId}.pdf`,
        'application/pdf',
      ]);
      expect([json?.filename, json?.mimeType]).toEqual([
        `evidence-${requestId}.json`,
        'application/json',
      ]);
      expect(attached(json?.content).toString()).toBe(content);
      expect(createHash('sha256').update(attached(json?.content)).digest('hex')).toBe(sha256);
      const texts = readPdf(attached(pdf?.content)).flat();
      expect(texts.map(({ text }) => text)).toContain(sha256);
    }
    const [one, other] = mails.map(({ mail }) => attached(mail.attachments[0]?.content));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
  });

  it('D-37 goes to the signer alone if the firm has no address', async () => {
    const work = await setUpMandates();
    await answered(work);
    expect((await work.queued('evidence')).map(({ key }) => key)).toEqual([
      expect.stringMatching(/^sendMail:[\da-f]{24}[.]evidence[.]signer$/),
    ]);
  });

  it('D-37 confirm a refusal to the contact and to the firm', async () => {
    const work = await setUpMandates();
    await work.knex('firms').update(firm);
    await answered(work, declined);
    await work.startWorkers();
    const mails = await evidenceMails(work, 2);
    const { sha256 } = await storedOf(work);
    for (const { mail, envelopeTo } of mails) {
      const isSigner = envelopeTo[0] === 'an@bakkerij.example';
      expect(mail.subject).toBe('Geweigerde mandaten voor Bakkerij De Gouden Korst');
      // The contact enters no name to decline.
      expect(mail.to?.[0]?.name).toBe(isSigner ? 'An Peeters' : 'Kantoor Maes');
      for (const text of [mail.text, mail.html]) {
        const words = text?.replaceAll(/\s+/g, ' ');
        expect(words).toContain(`Beste ${isSigner ? 'An Peeters' : 'Kantoor Maes'},`);
        expect(words).toContain('om 2 mandaten te ondertekenen');
        expect(words).toContain('Er is niets ondertekend.');
        expect(words?.includes('Hebt u niet geweigerd?')).toBe(isSigner);
        expect(words).toContain(sha256);
      }
      expect(mail.attachments).toHaveLength(2);
    }
  });

  it.each([
    [[1], 'heeft een mandaat ondertekend', 'Een ander mandaat werd geweigerd.'],
    [[1, 3], 'heeft een mandaat ondertekend', '2 andere mandaten werden geweigerd.'],
  ])('D-37 say how many were signed and how many declined: %j', async (excluded, said, also) => {
    const work = await setUpMandates();
    const ibans = Array.from({ length: excluded.length }, () => newIban());
    await work.ask({ ibans, providers: ['sdworx'] });
    await answerAsShown(work.knex, work.token(), { ...signed, excluded }, work.clock);
    await work.startWorkers();
    const [sent] = await evidenceMails(work, 1);
    const words = sent?.mail.text?.replaceAll(/\s+/g, ' ');
    expect(words).toContain(said);
    expect(words).toContain(also);
  });

  it('D-37 go to the addresses of the signature, whatever they are later', async () => {
    const work = await setUpMandates();
    await work.knex('firms').update(firm);
    await answered(work);
    await work.knex('customers').update({ contact_email: 'bo@bakkerij.example' });
    await work.knex('firms').update({ email: 'new@maes.example' });
    await work.startWorkers();
    const mails = await evidenceMails(work, 2);
    expect(mails.flatMap(({ envelopeTo }) => envelopeTo).sort()).toEqual([
      ...['an@bakkerij.example', 'info@maes.example'],
    ]);
  });

  it.each(['fr', 'nl', 'de', 'en'] as const)(
    'D-37 is in the language of the page: %s',
    async (language) => {
      const work = await setUpMandates();
      const customerId = await work.create({ ibans: [newIban()] });
      await work.knex('customers').update({ contact_language: language });
      await work.deliver(await work.requestOf(customerId));
      await answerAsShown(work.knex, work.token(), signed, work.clock);
      await work.startWorkers();
      const [sent] = await evidenceMails(work, 1);
      expect(sent?.mail.subject).toBe(
        textsIn[language].evidenceMail.signed.subject('Bakkerij De Gouden Korst'),
      );
      expect(sent?.mail.html).toContain(`<html lang="${language}">`);
      expect(sent?.mail.text).not.toMatch(/undefined|null|\[object/);
    },
  );

  it('D-36 contain no link that a signer or caller made up', async () => {
    const work = await setUpMandates();
    await work.knex('firms').update(firm);
    const customerId = await work.create();
    await work.knex('customers').update({ name: 'www.evil.example' });
    await work.deliver(await work.requestOf(customerId));
    const name = 'http://evil.example/win';
    await answerAsShown(work.knex, work.token(), { ...signed, signerName: name }, work.clock);
    await work.startWorkers();
    for (const { mail } of await evidenceMails(work, 2)) {
      for (const text of [mail.subject, mail.text, mail.html]) {
        expect(text).not.toMatch(/evil\.example|http:\/\/evil/);
      }
    }
  });

  it.each([
    ['are tried again', 3, 451, '4.3.0 Later', expect.stringContaining('(451 4.3.0)')],
    [
      ...(['are tried once if the mail server rejects the address', 1] as const),
      ...([550, '5.1.1 No such user'] as const),
      'The mail server rejected the recipient (550 5.1.1)',
    ],
  ])('D-37 %s, and do not affect the signature; the operator sees why', async (...given) => {
    const [, attempts, code, reply, last_failure] = given;
    let tried = 0;
    const server = await startMailServer({
      onRcptTo({ address }, _session, done) {
        if (address !== firm.email) return done();
        tried += 1;
        done(refusal(code, reply));
      },
    });
    const work = await setUpMandates(server);
    await work.knex('firms').update(firm);
    const { customerId } = await answered(work);
    await work.startWorkers();
    await work.runAll('evidence');
    expect(await mailsOf(work)).toMatchObject([
      { kind: 'confirmation', failures: 0, sent_on: work.clock },
      { kind: 'evidence', failures: attempts, sent_on: null, last_failure },
    ]);
    expect(tried).toBe(attempts);
    expect(await work.statuses(customerId)).toEqual([
      ...['waitingForBank', 'waitingForPayrollProvider'],
    ]);
  });

  it('D-37 is the same message if a worker is killed before it recorded the first', async () => {
    const work = await setUpMandates();
    const { requestId } = await answered(work);
    const send = () => work.send(`${requestId}.evidence.signer`);
    await work.knex.raw(`
      create function refuse_record() returns trigger language plpgsql as $$
      begin raise 'killed'; end $$;
      create trigger refuse_record before update on outgoing_mails
        for each row execute function refuse_record()`);
    await expect(send()).rejects.toThrow('killed');
    await work.knex.raw('drop function refuse_record cascade');
    await send();
    await send();
    const [first, second, ...others] = work.mailServer.delivered.slice(1);
    expect(others).toEqual([]);
    expect(second?.mail.messageId).toBe(first?.mail.messageId);
    expect(second?.mail.attachments).toEqual(first?.mail.attachments);
  });

  it('D-37 are not sent if the evidence does not fit its hash', async () => {
    const work = await setUpMandates();
    const { requestId } = await answered(work);
    const content = work.knex.raw("replace(content, 'An Peeters', 'Bo Maes')");
    await changeEvidence(work.knex, (evidence) => evidence.update({ content }));
    await expect(work.send(`${requestId}.evidence.signer`)).rejects.toThrow('hash');
    expect(work.mailServer.delivered).toHaveLength(1);
    expect(await mailsOf(work).first()).toMatchObject({
      failures: 1,
      last_failure: `The evidence of signature request ${requestId} was changed: the text does not fit the hash`,
    });
  });
});
