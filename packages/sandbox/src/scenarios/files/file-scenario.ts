import { ApiError, type Product } from '@adx/client';
import { captureProgram } from '@adx/server/commands';
import { writeCoda } from '@adx/statements';
import { type DeliveredFile, senderOf, withFolder } from '../../demo/deliver-files.js';
import type { ShownMandate } from '../../demo/mandate-life.js';
import { products } from '../../demo/mandate-ways.js';
import { ScenarioRefusal } from '../../scenario-refusal.js';
import type { Settings } from '../../settings-file.js';
import type { ScenarioBody } from '../descriptions.js';
import {
  bringMandateTo,
  factsOf,
  findOpenMandate,
  type MandateContext,
} from '../mandate-scenario.js';
import { codaFileWith, isCodaFault } from './coda-faults.js';
import { codbFileWith, isCodbFault } from './codb-faults.js';
import { lateStatements } from './late-statements.js';
import { nextPayrollPlace, nextStatementPlace } from './next-place.js';
import { nextPlace, type StatementPlace, statementOf } from './statement-of-account.js';

export async function sendFiles(
  body: ScenarioBody<'file'>,
  context: MandateContext,
  settings: Settings,
): Promise<object> {
  const { kind, finding } = body;
  const mandate = await mandateFor(body, context);
  const via = body.via ?? (finding === undefined ? 'delivery' : 'upload');
  const files = await writeFiles(kind, finding, mandate, context.life.databaseUrl);
  return {
    ...factsOf(mandate),
    status: mandate.status,
    ...(finding === undefined ? { kind } : { finding }),
    via,
    files: await sendersOf[via](files, mandate, context, settings),
  };
}

type Kind = ScenarioBody<'file'>['kind'];
type Finding = ScenarioBody<'file'>['finding'];

/** @throws ScenarioRefusal if there are no such files, before a customer is created */
async function mandateFor(
  { mandateId, product: asked, kind, finding }: ScenarioBody<'file'>,
  context: MandateContext,
): Promise<ShownMandate> {
  if (kind === 'late' && mandateId === undefined) {
    throw new ScenarioRefusal('Give the mandateId of a mandate whose statements are missing');
  }
  const found =
    mandateId === undefined ? undefined : await findOpenMandate(context.life, mandateId);
  const product =
    asked ?? found?.product ?? products.find((each) => isPossible(each, finding)) ?? 'CODA';
  if (found !== undefined && product !== found.product) {
    throw new ScenarioRefusal(`The mandate ${mandateId} is for ${found.product}, not ${product}`);
  }
  refuseImpossible(product, kind, finding);
  if (found !== undefined) {
    await context.held.add(found.id);
    return found;
  }
  const created = await bringMandateTo({ status: 'finished', product }, context);
  return findOpenMandate(context.life, created.mandateId);
}

interface FilesOfProduct {
  /** The word for them at the start of a sentence. */
  readonly name: string;
  readonly isInChain: boolean;
  readonly isFault: (code: string) => boolean;
  readonly resource: 'codaFiles' | 'codbFiles';
}

const filesOf: Readonly<Record<Product, FilesOfProduct>> = {
  CODA: { name: 'Statements', isInChain: true, isFault: isCodaFault, resource: 'codaFiles' },
  CODB: { name: 'Payroll files', isInChain: false, isFault: isCodbFault, resource: 'codbFiles' },
};

function isPossible(product: Product, finding: Finding): boolean {
  return finding === undefined || filesOf[product].isFault(finding);
}

function refuseImpossible(product: Product, kind: Kind, finding: Finding): void {
  const { name, isInChain } = filesOf[product];
  if (!isInChain && kind !== 'good' && kind !== 'duplicate') {
    throw new ScenarioRefusal(`${name} have no ${kind}: they are not in a chain`);
  }
  if (finding === undefined) return;
  if (kind !== 'good') {
    throw new ScenarioRefusal(`A file has a kind or a finding: leave out ${kind} or ${finding}`);
  }
  if (!isPossible(product, finding)) {
    throw new ScenarioRefusal(`A ${product} file never has the finding ${finding}`);
  }
}

async function writeFiles(
  kind: Kind,
  finding: Finding,
  mandate: ShownMandate,
  databaseUrl: string,
): Promise<DeliveredFile[]> {
  switch (mandate.product) {
    case 'CODA': {
      const place = await nextStatementPlace(mandate, databaseUrl);
      const contents =
        finding && isCodaFault(finding)
          ? [codaFileWith(finding, place)]
          : await statementsOf[kind](place, mandate.customerId, databaseUrl);
      return contents.map((bytes, i) => ({
        name: `${place.iban}-${place.number}${'abc'[i]}.cod`,
        bytes,
      }));
    }
    case 'CODB': {
      const place = await nextPayrollPlace(mandate, databaseUrl);
      const bytes = codbFileWith(finding && isCodbFault(finding) ? finding : undefined, place);
      const contents = kind === 'duplicate' ? [bytes, bytes] : [bytes];
      return contents.map((each, i) => ({
        name: `${mandate.payrollProviderCode}-${place.period}${'abc'[i]}.xml`.replaceAll('*', ''),
        bytes: each,
      }));
    }
  }
}

const good = (place: StatementPlace): Uint8Array => writeCoda([statementOf(place)]);

type Write = (
  place: StatementPlace,
  customerId: string,
  databaseUrl: string,
) => Uint8Array[] | Promise<Uint8Array[]>;

/** The CODA files of each kind, given the place that follows in the chain of the account. */
const statementsOf: Readonly<Record<Kind, Write>> = {
  good: (place) => [good(place)],
  late: async (place, customerId, databaseUrl) => [
    writeCoda(await lateStatements(customerId, place, databaseUrl)),
  ],
  gap: (place) => [good(nextPlace(nextPlace(place)))],
  balanceBreak: (place) => [good({ ...place, oldBalance: place.oldBalance + 12_340n })],
  duplicate: (place) => [good(place), good(place)],
  correction: (place) => [
    good(place),
    good({ ...place, holder: `${place.holder.slice(0, 20)} (2)` }),
  ],
};

type Send = (
  files: readonly DeliveredFile[],
  mandate: ShownMandate,
  context: MandateContext,
  settings: Settings,
) => Promise<object[]>;

/** The ways that files take. Each returns what became of every file. */
const sendersOf: Readonly<Record<'delivery' | 'upload' | 'answer', Send>> = {
  /** Delivers as a bank or payroll provider does: the operator ingests a folder. */
  async delivery(files, mandate, _context, settings) {
    const from = senderOf(mandate);
    if (from === undefined || from === '***other***') {
      throw new ScenarioRefusal(`The service knows nobody who delivers for mandate ${mandate.id}`);
    }
    const outcomes: object[] = [];
    for (const file of files) {
      const { stdout, stderr } = await withFolder([file], (folder) =>
        // It fails for a file that is refused, and prints the outcome nevertheless.
        captureProgram(['ingest', folder, '--from', from, '--json'], settings),
      );
      if (stdout === '') throw new Error(stderr);
      outcomes.push(...(JSON.parse(stdout) as object[]));
    }
    return outcomes;
  },

  /** Uploads as the administrator of the firm does. */
  async upload(files, { firmId, product }, { life }) {
    const client = await life.clientOf(firmId);
    if (client === undefined) {
      throw new ScenarioRefusal(
        'Only users of its firm can upload for it: take the file from the answer, with {"via": "answer"}, and upload it yourself',
      );
    }
    const resource = client[filesOf[product].resource];
    const outcomes: object[] = [];
    for (const { name, bytes } of files) {
      const upload = await resource.upload(bytes, name).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        throw new ScenarioRefusal(`The upload of ${name} is refused: ${error.message}`);
      });
      outcomes.push({ name, ...(await upload.outcome()) });
    }
    return outcomes;
  },

  /** Nowhere: the caller sends them. */
  answer: async (files) =>
    files.map(({ name, bytes }) => ({
      name,
      contentBase64: Buffer.from(bytes).toString('base64'),
    })),
};
