import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatLines } from '@adx/command/print-lines';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { operatorScope } from '../../identity/operator-scope.js';
import { showMandate } from '../../mandates/listed-mandates.js';
import {
  checkEvidence,
  type Evidence,
  type EvidenceFault,
  evidenceFaults,
  type StoredEvidence,
} from '../../mandates/signing/evidence.js';
import { listEvidence } from '../../mandates/signing/evidence-store.js';
import { sha256 } from '../../mandates/signing/shown-request.js';
import { replaceFile } from '../../replace-file.js';
import { parseId } from '../arguments.js';
import {
  fileFailure,
  type OperatorContext,
  OperatorFailure,
  requireFound,
} from '../operator-context.js';

interface WrittenEvidence {
  readonly requestId: string;
  /** The stored hash, which signer and firm received. */
  readonly sha256: string;
  readonly fault?: EvidenceFault;
  /** The paths of the files that were written. */
  readonly files: readonly string[];
  readonly evidence?: Evidence;
}

/** Adds `adx-server mandate evidence` (D-37). */
export function addEvidenceCommand(mandate: Command, context: OperatorContext): void {
  mandate
    .command('evidence')
    .description('write the evidence of the answers for a mandate as PDF and JSON, check its hash')
    .argument('<id>', 'id of the mandate', parseId)
    .option('--out <folder>', 'folder for the files', '.')
    .action(async (id: string, options: { out: string }) => {
      const stored = await context.withDatabase((knex) => findEvidenceOf(knex, id));
      const written = await writeAll(stored, options.out).catch(
        fileFailure(
          (reason) =>
            `The evidence cannot be written to the folder ${options.out}: ${reason}. Name another folder with --out.`,
        ),
      );
      context.printResult(written, written.map(formatEvidence).join('\n'));
      const changes = stored.flatMap(explainChange);
      if (changes.length > 0) throw new OperatorFailure(changes.join('\n'));
    });
}

async function findEvidenceOf(knex: Knex, id: string): Promise<readonly StoredEvidence[]> {
  // A mandate that was erased has evidence too.
  const found = await listEvidence(knex, id);
  if (found.length > 0) return found;
  const shown = requireFound(await showMandate(knex, operatorScope(), id), 'mandate', id);
  throw new OperatorFailure(
    shown.signatureRequests.some(({ isAnswered }) => isAnswered)
      ? `Mandate ${id} was answered, but its evidence is missing from the database.`
      : `Mandate ${id} was neither signed nor declined, so there is no evidence.`,
  );
}

async function writeAll(
  stored: readonly StoredEvidence[],
  folder: string,
): Promise<WrittenEvidence[]> {
  await mkdir(folder, { recursive: true });
  const written: WrittenEvidence[] = [];
  for (const each of stored) written.push(await writeEvidenceFiles(each, folder));
  return written;
}

/**
 * Writes the files, readable for their owner only. Changed evidence gets no PDF, which would look
 * like a proof, and does not replace a file that was written before the change.
 */
async function writeEvidenceFiles(
  stored: StoredEvidence,
  folder: string,
): Promise<WrittenEvidence> {
  const { requestId, sha256 } = stored;
  // This is loaded here, because few commands render a PDF.
  const { evidenceFiles, storedFile } = await import('../../mandates/signing/evidence-files.js');
  const checked = checkEvidence(stored);
  const isFaulty = typeof checked === 'string';
  const attachments = isFaulty
    ? [storedFile(stored, `changed-evidence-${requestId}.json`)]
    : await evidenceFiles(checked);
  const files: string[] = [];
  for (const { filename, content } of attachments) {
    const path = join(folder, filename);
    await replaceFile(path, content);
    files.push(path);
  }
  if (isFaulty) return { requestId, sha256, fault: checked, files };
  const { content: _content, sha256: _sha256, ...evidence } = checked;
  return { requestId, sha256, files, evidence };
}

function formatEvidence({ requestId, sha256, fault, evidence, files }: WrittenEvidence): string {
  const by = evidence?.answer === 'signed' ? ` by ${evidence.signer.name}` : '';
  return formatLines({
    'signature request': requestId,
    ...(evidence && { answer: `${evidence.answer}${by} on ${evidence.answeredOn}` }),
    ...(evidence?.excluded.length && { excluded: evidence.excluded.join(', ') }),
    sha256,
    check: fault === undefined ? 'the text fits the hash' : evidenceFaults[fault],
    files: files.join(', '),
  });
}

function explainChange(stored: StoredEvidence): string[] {
  const checked = checkEvidence(stored);
  if (typeof checked !== 'string') return [];
  return [
    `The evidence of signature request ${stored.requestId} was changed: ${evidenceFaults[checked]}. The SHA-256 of the text is ${sha256(stored.content)}. Compare it with the messages that the signer and the firm received.`,
  ];
}
