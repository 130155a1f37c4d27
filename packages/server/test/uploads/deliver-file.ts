import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bicOfBankCode } from '../../src/identifiers/bic-of-bank-code.js';
import { openDeliveryFolder } from '../../src/uploads/deliveries/delivery-folder.js';
import { type FileOutcome, ingestFile } from '../../src/uploads/deliveries/ingest-folder.js';
import { findSender } from '../../src/uploads/deliveries/sender.js';
import type { UploadDependencies } from '../../src/uploads/process-documents.js';

/**
 * Delivers a file of a bank or payroll provider, as `adx-server ingest` does.
 *
 * @param from the sender; by default the bank of the first statement, or SD Worx
 */
export async function deliverFile(
  parts: UploadDependencies,
  bytes: Uint8Array,
  from?: string,
): Promise<FileOutcome> {
  const path = mkdtempSync(join(tmpdir(), 'adx-delivery-'));
  const folder = await openDeliveryFolder(path);
  try {
    writeFileSync(join(path, 'delivery'), bytes);
    const sender = await findSender(parts.knex, from ?? senderOf(bytes));
    const name = Buffer.from('delivery');
    return await ingestFile(parts, sender ?? expect.fail('no sender'), folder, name);
  } finally {
    await folder.close();
    rmSync(path, { recursive: true });
  }
}

function senderOf(bytes: Uint8Array): string {
  const [, bankCode] = /BE\d\d(\d{3})\d{9}/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return (bankCode && bicOfBankCode(bankCode)) || 'sdworx';
}
