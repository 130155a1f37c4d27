import type { Knex } from 'knex';
import { holdDocuments } from './deliveries/held-deliveries.js';
import { finding, keptFindingsOf, type UploadFinding } from './documents/finding.js';
import type { FileReading } from './documents/read-documents.js';
import { listDocuments } from './list-documents.js';
import type { Consents, Decision } from './process-documents.js';
import { type Access, needsConsent } from './recipients.js';
import type { Settlement } from './upload-store.js';

/** How many documents were listed and held, and the findings on them. */
export interface Recorded {
  readonly listed: number;
  /** Documents that had been listed before. */
  readonly repeated: number;
  readonly held: number;
  readonly findings: readonly UploadFinding[];
}

/** Lists and holds documents as decided, and moves the mandates of deliveries. */
export async function recordDecisions(
  trx: Knex.Transaction,
  consents: Consents,
  decisions: readonly Decision[],
  { uploadId, access, now }: { uploadId: string; access: Access; now: Date },
): Promise<Recorded> {
  const listings = decisions.filter((decision) => decision.action === 'list');
  const held = decisions.filter((decision) => decision.action === 'hold');
  await holdDocuments(trx, held, { uploadId, heldOn: now });
  const repeated = await listDocuments(trx, listings, { uploadId, processedOn: now });
  if (needsConsent(access)) {
    const linkIds = listings.flatMap(({ recipient }) => recipient.linkId ?? []);
    await consents.delivered(trx, linkIds);
  }
  return {
    listed: listings.length - repeated.length,
    repeated: repeated.length,
    held: held.length,
    findings: [
      ...refusalsOf(decisions),
      ...held.map(({ document: { label, record } }) => finding('held', label, record)),
      ...repeated.map(({ document: { label, record } }) => finding('alreadyListed', label, record)),
    ],
  };
}

/** The findings on documents that are refused, which are the same whether or not a customer exists (§5). */
export function refusalsOf(decisions: readonly Decision[]): UploadFinding[] {
  return decisions.flatMap(({ action, document: { product, label, record } }) =>
    action === 'refuse'
      ? finding(product === 'CODA' ? 'unknownAccount' : 'unknownEnterprise', label, record)
      : [],
  );
}

/** A file with an error in it is rejected, although its good documents are listed. */
export function settlementOf(
  reading: FileReading,
  recorded: Recorded,
  settledOn: Date,
): Settlement {
  const findings = [...reading.findings, ...recorded.findings];
  return {
    status: hasErrors(findings) ? 'rejected' : 'processed',
    settledOn,
    findings: keptFindingsOf(findings, reading.omittedFindings),
  };
}

export function hasErrors(findings: readonly UploadFinding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
