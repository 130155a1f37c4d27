import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { findMandate, readRequests } from '../../mandates/operator-mandates.js';
import {
  type Evidence,
  fitsHash,
  parseEvidence,
  readEvidence,
  type StoredEvidence,
} from '../../mandates/signing/evidence.js';
import { listEvidence } from '../../mandates/signing/evidence-store.js';
import { sha256 } from '../../mandates/signing/shown-request.js';
import { parseId } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';
import { formatLines, type JsonOption, printResult } from '../print-result.js';

interface EvidenceOptions extends JsonOption {
  readonly out: string;
}

/** The evidence of one answer, as the command prints it. */
interface WrittenEvidence {
  readonly requestId: string;
  /** The stored hash, which signer and firm received. */
  readonly sha256: string;
  readonly fitsHash: boolean;
  /** The paths of the files that were written. */
  readonly files: readonly string[];
  /** Undefined if its text does not fit the hash. */
  readonly evidence: Evidence | undefined;
}

/** Adds `adx-server mandate evidence`, which writes the evidence of answers and checks its hash (D-37). */
export function addEvidenceCommand(mandate: Command, context: OperatorContext): void {
  mandate
    .command('evidence')
    .description('write the evidence of the answers for a mandate as PDF and JSON, check its hash')
    .argument('<id>', 'id of the mandate', parseId)
    .option('--out <folder>', 'folder for the files', '.')
    .action(async (id: string, options: EvidenceOptions) => {
      const stored = await context.withDatabase((knex) => findEvidenceOf(knex, id));
      await mkdir(options.out, { recursive: true });
      const written: WrittenEvidence[] = [];
      for (const each of stored) written.push(await writeEvidenceFiles(each, options.out));
      printResult(context, options, written, () => written.map(formatEvidence).join('\n'));
      const changed = stored.filter((each) => !fitsHash(each));
      if (changed.length > 0) throw new OperatorFailure(changed.map(explainChange).join('\n'));
    });
}

type FoundEvidence = StoredEvidence & { readonly requestId: string };

/** @throws OperatorFailure if there is no such mandate, or no evidence for it */
async function findEvidenceOf(knex: Knex, id: string): Promise<readonly FoundEvidence[]> {
  requireFound(await findMandate(knex, id), 'mandate', id);
  const found = await listEvidence(knex, id);
  if (found.length > 0) return found;
  const requests = await readRequests(knex, id);
  throw new OperatorFailure(
    requests.some(({ isAnswered }) => isAnswered)
      ? `Mandate ${id} was answered before the service kept evidence.`
      : `Mandate ${id} was neither signed nor declined, so there is no evidence.`,
  );
}

/**
 * Writes the files, readable for their owner only. Changed evidence gets no PDF, which would look like a
 * proof.
 */
async function writeEvidenceFiles(stored: FoundEvidence, folder: string): Promise<WrittenEvidence> {
  const { requestId, sha256 } = stored;
  // Loaded here, because few commands render a PDF.
  const { evidenceFiles, storedFile } = await import('../../mandates/signing/evidence-files.js');
  const isUnchanged = fitsHash(stored);
  const files = isUnchanged
    ? await evidenceFiles(readEvidence(stored))
    : [storedFile(requestId, stored)];
  const paths: string[] = [];
  for (const { filename, content } of files) {
    const path = join(folder, filename);
    await writeFile(path, content, { mode: 0o600 });
    paths.push(path);
  }
  const evidence = isUnchanged ? parseEvidence(stored.content) : undefined;
  return { requestId, sha256, fitsHash: isUnchanged, files: paths, evidence };
}

function formatEvidence({ requestId, sha256, evidence, files }: WrittenEvidence): string {
  const by = evidence?.answer === 'signed' ? ` by ${evidence.signer.name}` : '';
  return formatLines({
    'signature request': requestId,
    ...(evidence && { answer: `${evidence.answer}${by} on ${evidence.answeredOn}` }),
    sha256,
    check: evidence ? 'the text fits the hash' : 'the text does not fit the hash',
    files: files.join(', '),
  });
}

function explainChange({ requestId, content }: FoundEvidence): string {
  return `The evidence of signature request ${requestId} was changed: the SHA-256 of its text is ${sha256(content)}. Compare it with the messages that the signer and the firm received.`;
}
