import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import type { ChainNotice } from '../continuity/follow-accounts.js';
import type { ListedFile } from '../files/enqueue-printing.js';
import { listDocuments } from '../files/list-documents.js';
import { holdDocuments } from './deliveries/held-deliveries.js';
import {
  addFindings,
  countOmitted,
  type FindingCode,
  finding,
  type KeptFindings,
  noFindings,
  type UploadFinding,
} from './documents/finding.js';
import type { ParsedFile } from './documents/read-documents.js';
import type { DocumentOutcome, UploadDependencies } from './process-documents.js';
import { type Access, linkOf, needsMandate } from './recipients.js';
import { recordUploadOutcome, type UploadOutcome } from './upload-store.js';

interface RecordedOutcomes {
  /** The new files by their ids. */
  readonly files: ReadonlyMap<string, ListedFile>;
  readonly listed: number;
  readonly repeated: number;
  readonly held: number;
  readonly findings: readonly UploadFinding[];
}

type Recording = Pick<UploadDependencies, 'coverage'>;

/** Lists and holds documents, and finishes mandates that were waiting for their first delivery. */
export async function recordOutcomes(
  trx: Knex.Transaction,
  { coverage }: Recording,
  outcomes: readonly DocumentOutcome[],
  {
    uploadId,
    access,
    now,
    printsItself = false,
  }: { uploadId: string; access: Access; now: Date; printsItself?: boolean },
): Promise<RecordedOutcomes> {
  const isDelivered = needsMandate(access);
  const newFiles = outcomes.filter((outcome) => outcome.action === 'list');
  const held = outcomes.filter((outcome) => outcome.action === 'hold');
  await holdDocuments(trx, held, { uploadId, heldOn: now });
  const { files, repeated, notices } = await listDocuments(trx, newFiles, {
    ...{ uploadId, isDelivered, processedOn: now, printsItself },
  });
  if (isDelivered) {
    await coverage.delivered(
      trx,
      newFiles.flatMap(({ recipient }) => linkOf(recipient)),
    );
  }
  return {
    files,
    listed: newFiles.length - repeated.length,
    repeated: repeated.length,
    held: held.length,
    findings: [
      ...refusalsOf(outcomes),
      ...held.map(({ document: { label, record } }) => finding('held', label, record)),
      ...repeated.map(({ document: { label, record } }) => finding('alreadyListed', label, record)),
      ...notices.map(({ file: { document }, kind }) =>
        finding(chainFindings[kind], document.label, document.record),
      ),
    ],
  };
}

/** The warnings on statements that do not fit into the chains of their accounts (D-30). */
const chainFindings = {
  gap: 'numberMissing',
  balanceBreak: 'balanceDiffers',
  correction: 'numberRepeated',
} as const satisfies Readonly<Record<ChainNotice['kind'], FindingCode>>;

const unknownSubjects = {
  CODA: 'unknownAccount',
  CODB: 'unknownEnterprise',
} as const satisfies Readonly<Record<Product, FindingCode>>;

/** Returns findings that do not reveal whether another firm has the customer (§5). */
export function refusalsOf(outcomes: readonly DocumentOutcome[]): UploadFinding[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.action !== 'refuse') return [];
    const { product, label, record } = outcome.document;
    const { reason } = outcome;
    return finding(reason === 'unknown' ? unknownSubjects[product] : reason, label, record);
  });
}

/** Records the documents of a whole file, and the outcome of its upload. */
export async function recordFile(
  trx: Knex.Transaction,
  recording: Recording,
  file: ParsedFile,
  outcomes: readonly DocumentOutcome[],
  options: { uploadId: string; access: Access; now: Date },
): Promise<RecordedOutcomes & UploadOutcome> {
  const recorded = await recordOutcomes(trx, recording, outcomes, options);
  const findings = [...file.findings, ...recorded.findings];
  const outcome = outcomeOf(addFindings(noFindings, findings, file.omittedFindings), options.now);
  const { uploadId: id, access } = options;
  const firmId = access.kind === 'grant' ? access.principal.firmId : '';
  await recordUploadOutcome(trx, { id, firmId }, outcome);
  return { ...recorded, ...outcome };
}

/** Returns the outcome: one error rejects a file, although its other documents are listed. */
export function outcomeOf(found: KeptFindings, settledOn: Date): UploadOutcome {
  const status = hasErrors(found) ? 'rejected' : 'processed';
  return { status, settledOn, findings: countOmitted(found) };
}

export function hasErrors({ findings }: KeptFindings): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
