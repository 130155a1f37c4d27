import type { MailedRequest } from '../../../../src/mandates/signing/request-details.js';

export const link = 'https://adx.example/sign/Zk3jv0mYcE2sQqPq4hO1p9wT7uVnXl8dRbG5aKfMiNs';

export const languages = ['fr', 'nl', 'de', 'en'] as const;

/**
 * Returns a request for two accounts, one of them through a light connector, and a payroll
 * provider.
 */
export function aSignatureRequest(changes: Partial<MailedRequest> = {}): MailedRequest {
  return {
    firmName: 'Cœur & Janssens SRL',
    firmEmail: 'info@coeur-janssens.example',
    firmPhone: '+32 9 000 00 01',
    customerName: 'Bäckerei Süß & Söhne',
    enterpriseNumber: '0812.345.603',
    contactName: 'Jürgen Groß',
    contactEmail: 'juergen@suess.example',
    language: 'nl',
    expiresOn: new Date('2026-12-21T09:47:00Z'),
    mandates: [
      {
        product: 'CODA',
        iban: 'BE71096123456769',
        bankName: 'BELFIUS BANK',
        isLightConnector: false,
      },
      { product: 'CODA', iban: 'BE68539007547034', isLightConnector: true },
      { product: 'CODB', payrollProviderName: 'Group S – Secrétariat Social' },
    ],
    ...changes,
  };
}
