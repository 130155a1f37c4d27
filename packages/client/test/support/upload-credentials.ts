import { secretAccessKey } from './test-storage.js';

export const issue = 'POST /coda-files/upload-credentials';

/** Returns the nth upload credentials. */
export const credentials = (nth: number) => ({
  accessKeyId: `ASIAEXAMPLEKEY${nth}`,
  secretAccessKey,
  sessionToken: `ZXhhbXBsZS1zZXNzaW9uLXRva2Vu/+=${nth}`,
  bucketName: 'adx-coda-uploads',
  prefix: 'uploads/kantoor-maes',
  expirationUtc: new Date(Date.now() + 60 * 60_000).toISOString(),
});

/** A file to upload, and its name. */
export const content = new TextEncoder().encode('0000002032672505 Één afschrift\r\n');
export const name = 'statement.cod';
