import type { Knex } from 'knex';
import type { FileFollower } from '../file-follower.js';
import { listFiles } from './listed-files.js';
import { isRejected, type Reading } from './reading.js';
import { finding, keptFindingsOf } from './upload-finding.js';
import { type Settlement, settleUpload } from './upload-store.js';

/** What came of an upload. */
export interface Outcome extends Settlement {
  /** How many of its files are new in the list. */
  readonly listed: number;
  /** How many had been listed before. */
  readonly repeated: number;
}

/**
 * Lists the files of an upload, lets mandates follow, and records what became of it. All of that in
 * the transaction, which holds the upload.
 */
export async function settleReading(
  trx: Knex.Transaction,
  uploadId: string,
  reading: Reading,
  { follower, now }: { readonly follower: FileFollower; readonly now: () => Date },
): Promise<Outcome> {
  const { files, omittedFindings } = reading;
  const settledOn = now();
  const repeated = await listFiles(trx, files, { uploadId, processedOn: settledOn });
  await follower.received(trx, {
    bankAccountIds: files.flatMap(({ recipient }) => recipient.links.bankAccountIds),
    payrollLinkIds: files.flatMap(({ recipient }) => recipient.links.payrollLinkIds),
  });
  const findings = [
    ...reading.findings,
    ...repeated.map(({ document }) => finding('alreadyListed', document.fileStem, document.record)),
  ];
  const outcome: Outcome = {
    status: isRejected(reading) ? 'rejected' : 'processed',
    settledOn,
    findings: keptFindingsOf(findings, omittedFindings),
    listed: files.length - repeated.length,
    repeated: repeated.length,
  };
  await settleUpload(trx, uploadId, outcome);
  return outcome;
}
