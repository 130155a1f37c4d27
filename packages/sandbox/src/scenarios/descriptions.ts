import type { MandateStatus } from '@adx/client';
import { type ErrorCode, errorCatalogue, type OperationId, operations } from '@adx/contract';
import {
  type CodaFindingCode,
  type CodbFindingCode,
  codaFindings,
  codbFindings,
} from '@adx/statements';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { products, waysTo } from '../demo/mandate-ways.js';

// Only descriptions: the command reads them without loading the scenarios.

/** A scenario of the sandbox: something that a bank, a contact or time does, on demand (D-53). */
interface Described {
  readonly description: string;
  /** The body of its request. Each field is also an option of the command. */
  readonly body: z.ZodObject;
  /** A body that works on a sandbox with demo firms. */
  readonly example: Readonly<Record<string, unknown>>;
}

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];
const operationIds = Object.keys(operations) as OperationId[];
/** Findings of the service on files that can be read (D-27, D-30). */
const serviceFindings = [
  ...(['unknownAccount', 'noIban', 'noCurrency', 'unknownEnterprise', 'sourceTooLong'] as const),
  ...(['numberMissing', 'balanceDiffers'] as const),
];
/** Findings of the reader that the service does not report: it knows the whole chain. */
const ofChain = ['statementNumberGap', 'oldBalanceGap', 'statementRepeated'] as const;
export type OfChain = (typeof ofChain)[number];
const findingCodes = [
  ...new Set([...Object.keys(codaFindings), ...Object.keys(codbFindings), ...serviceFindings]),
].filter((code) => !(ofChain as readonly string[]).includes(code)) as (
  | Exclude<CodaFindingCode, OfChain>
  | CodbFindingCode
  | (typeof serviceFindings)[number]
)[];
const mandateId = z
  .string()
  .regex(/^[\da-f]{24}$/, 'is not an id')
  .optional()
  .describe(
    'The mandate; by default that of a new customer of the first demo firm, to which the printed login belongs. What happens to it can concern the other mandates of its customer too: one message asks to sign all',
  );
const count = (most: number) => z.number().int().min(0).max(most);

export const scenarioDescriptions = {
  error: {
    description:
      'Answers the next calls with an error code, with status, headers and body as the service sends them. The calls have no effect.',
    body: z.strictObject({
      code: z.enum(errorCodes).describe('Error code'),
      operation: z
        .enum(operationIds)
        .optional()
        .describe('Only calls of this operation; by default of every one that can answer the code'),
      apiKey: z
        .string()
        .optional()
        .describe('Only calls with this API key; by default those of everybody on this sandbox'),
      calls: count(1_000)
        .default(1)
        .describe('Number of calls that get the error; 0 takes back what was set'),
      retryAfter: count(3_600)
        .default(1)
        .describe('Seconds in `Retry-After`, for the codes that have this header'),
    }),
    example: { code: 'tooManyRequests', operation: 'searchMandates' },
  },
  mandate: {
    description:
      'Brings a mandate to a status, by real steps: messages, signatures, answers of banks and payroll providers, files, time. The demo then leaves the mandate alone.',
    body: z.strictObject({
      status: z.enum(Object.keys(waysTo) as MandateStatus[]).describe('Status to bring it to'),
      mandateId,
      product: z
        .enum(products)
        .optional()
        .describe('Product of a new mandate; by default CODA, unless the status is one of CODB'),
    }),
    example: { status: 'rejectedByBank' },
  },
  file: {
    description:
      'Sends a statement or a payroll file for a mandate: one that follows on the last, one that does not, or one with a fault. Says what became of it.',
    body: z.strictObject({
      kind: z
        .enum(['good', 'gap', 'late', 'balanceBreak', 'duplicate', 'correction'])
        .default('good')
        .describe(
          'good: it follows on the last statement. gap: the two statements before it are missing (finding numberMissing). late: those that are missing in the last gap of the mandate. balanceBreak: its old balance is not the last new one (finding balanceDiffers). duplicate: a good one twice (finding alreadyListed). correction: a good one, then another with its number (finding numberRepeated)',
        ),
      finding: z
        .enum(findingCodes)
        .optional()
        .describe(
          'A finding of the catalogue of CODA or CODB files, or of the service; the file has no other',
        ),
      mandateId,
      product: z
        .enum(products)
        .optional()
        .describe('By default the one that has the finding or the mandate, or CODA'),
      via: z
        .enum(['delivery', 'upload', 'answer'])
        .optional()
        .describe(
          'delivery: from the bank or payroll provider. upload: by the administrator of the firm; the default with a finding. answer: not sent, but returned in Base64',
        ),
    }),
    example: { kind: 'gap' },
  },
  time: {
    description:
      'Lets time pass. Everything that was issued before is then older by it: ID tokens, refresh tokens, presigned URLs, upload credentials, signature requests, consents, held deliveries, old API keys. Dates in statements stay.',
    body: z.strictObject({
      days: count(3_650).default(0).describe('Days'),
      hours: count(10_000).default(0).describe('Hours, added to the days'),
      minutes: count(100_000).default(0).describe('Minutes, added to the hours'),
      seconds: count(1_000_000).default(0).describe('Seconds, added to the minutes'),
    }),
    example: { hours: 2 },
  },
} as const satisfies Readonly<Record<string, Described>>;

export type ScenarioName = keyof typeof scenarioDescriptions;

/** The body of a scenario's request, with its defaults. */
export type ScenarioBody<Name extends ScenarioName> = z.output<
  (typeof scenarioDescriptions)[Name]['body']
>;

export type Scenario = ReturnType<typeof listScenarios>[number];
export type ScenarioOption = Scenario['options'][number];

/** Lists the scenarios for `GET /sandbox/`, the command and the documentation. */
export function listScenarios() {
  return Object.entries(scenarioDescriptions).map(([name, { description, body, example }]) => ({
    name: name as ScenarioName,
    description,
    options: optionsOf(body),
    example,
  }));
}

/** Returns why a name is refused, with the names of the scenarios and one that is near. */
export function unknownScenario(name: unknown): string {
  const names = Object.keys(scenarioDescriptions);
  const nearest = closest(String(name), names);
  const question = distance(String(name), nearest) > 2 ? '' : `. Did you mean ${nearest}?`;
  return `There is no scenario ${name}. The scenarios: ${names.join(', ')}${question}`;
}

function optionsOf(body: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    if (typeof property === 'boolean') throw new Error(`${name} has no description`);
    const { type, description = '', enum: values, default: preset } = property;
    return {
      name,
      type: type as 'string' | 'integer' | 'boolean',
      description,
      required: required.includes(name),
      ...(values !== undefined && { values: values.map(String) }),
      ...(preset !== undefined && { default: preset }),
    };
  });
}
