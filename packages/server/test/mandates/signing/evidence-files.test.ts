import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { readPdf } from '../../../../statements/test/pdf/read-pdf.js';
import { formatIban } from '../../../src/identifiers/iban.js';
import {
  composeEvidence,
  readEvidence,
  writeEvidence,
} from '../../../src/mandates/signing/evidence.js';
import { evidenceFiles } from '../../../src/mandates/signing/evidence-files.js';
import type { RequestDetails } from '../../../src/mandates/signing/request-details.js';
import { showRequest } from '../../../src/mandates/signing/shown-request.js';
import { textsIn } from '../../../src/mandates/signing/texts/all-texts.js';
import { languages } from './mail/a-signature-request.js';

const requestId = '65f0c0ffee65f0c0ffee65f0';

/** Returns evidence for accounts with these IBANs. */
function evidenceOf(ibans: readonly string[], language: (typeof languages)[number]) {
  const request: RequestDetails = {
    ...{ requestId, delivery: 1, firmId: '1', customerId: '2' },
    ...{ firmName: 'Kantoor Maes', firmEmail: null, firmPhone: null, isFirmDisabled: false },
    ...{ customerName: 'Łódź Ελλάς Ünal', enterpriseNumber: '0812.345.603' },
    ...{ contactName: 'An Peeters', contactEmail: 'an@bakkerij.example', language },
    ...{ sentOn: null, expiresOn: null, answer: null },
    asked: ibans.map((iban, index) => ({
      mandate: {
        ...{ id: `${index}`, product: 'CODA', iban, bankName: 'BELFIUS BANK' },
        isLightConnector: index % 2 === 1,
      },
      ...{ status: 'waitingForSigner', isCurrent: true, isDeclined: false },
    })),
  };
  const signer = {
    ...{ name: 'Ζωή Œuvrard', email: 'an@bakkerij.example' },
    ...{ ipAddress: '2001:db8::8a2e:370:7334', userAgent: `Browser/${'9'.repeat(492)}` },
  };
  const shown = showRequest(request, language);
  const now = new Date('2026-11-02T09:00:00Z');
  const answer = { requestId, answer: 'signed', excluded: [], signer, shown } as const;
  const evidence = composeEvidence(answer, now);
  return readEvidence(writeEvidence(evidence));
}

test.each(languages)(
  'D-37 the PDF has a hundred mandates, the longest browser and all of Latin and Greek, in %s',
  async (language) => {
    const ibans = Array.from({ length: 100 }, () => newIban());
    const evidence = evidenceOf(ibans, language);
    const [pdf] = await evidenceFiles(evidence);
    const pages = readPdf(pdf?.content ?? expect.fail());
    const texts = pages.flat().map(({ text }) => text);
    expect(pages.length).toBeGreaterThan(2);
    expect(texts.filter((text) => /^BE\d\d /.test(text))).toEqual(ibans.map(formatIban));
    expect(texts[0]).toBe(textsIn[language].evidence.title.signed);
    expect(texts).toEqual(
      expect.arrayContaining(['Ζωή Œuvrard', 'Łódź Ελλάς Ünal', evidence.sha256]),
    );
    expect(texts.join('')).toContain(`Browser/${'9'.repeat(492)}`);
    expect(pages.map((page) => page.at(-1)?.text)).toEqual(
      pages.map((_, index) => `${requestId} – ${index + 1}/${pages.length}`),
    );
    expect(pdf?.content.length).toBeLessThan(100_000);
  },
);
