import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repository } from '../support/run-command.js';
import type { PartnerSandbox, PartnerUser } from './partner-sandbox.js';

export interface ExecutedCall {
  readonly workflowId: string;
  readonly stepId: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

export interface JourneyRun {
  readonly exitCode: number | null;
  /** The output of the runner: every step with its checks. */
  readonly printed: string;
  readonly calls: readonly ExecutedCall[];
}

const redocly = join(repository, 'node_modules/@redocly/cli/bin/cli.js');
/** Nothing is sent to the makers of the runner. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

/** The journeys in the order in which they run: some find what earlier ones have created. */
export const journeyFiles = readdirSync(join(repository, 'docs/journeys'))
  .filter((name) => name.endsWith('.arazzo.yaml'))
  .map((name) => `docs/journeys/${name}`)
  .sort();

/** Returns the mistakes that the linter prints. */
export async function lintJourneys(): Promise<string> {
  const { exitCode, printed } = await runRedocly(['lint', ...journeyFiles], {});
  return exitCode === 0 ? '' : printed;
}

/** Runs all journeys, one after another in one process, against a sandbox. */
export async function runJourneys(sandbox: PartnerSandbox): Promise<JourneyRun> {
  const folder = mkdtempSync(join(tmpdir(), 'adx-journeys-'));
  const log = join(folder, 'calls.json');
  try {
    const { exitCode, printed } = await runRedocly(
      ['respect', ...journeyFiles, '--json-output', log, '--execution-timeout', '300000'],
      // They are in the environment, because other users of the machine can see the options of a
      // process.
      {
        REDOCLY_CLI_RESPECT_SERVER: `adx=${sandbox.url}/v1,sandbox=${sandbox.url}`,
        REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(await inputsOf(sandbox)),
      },
    );
    if (!existsSync(log)) throw new Error(printed);
    return { exitCode, printed, calls: callsIn(JSON.parse(readFileSync(log, 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inputsOf({ apiKey, issueKey, ...sandbox }: PartnerSandbox) {
  const inBase64 = ({ password }: PartnerUser) => Buffer.from(password).toString('base64');
  const { administrator, otherAdministrator, portalUser } = sandbox;
  return {
    ...{ apiKey, limitedApiKey: await issueKey('customers:read'), longText: 'x'.repeat(65_536) },
    ...{ username: administrator.username, password: inBase64(administrator) },
    ...{ otherUsername: otherAdministrator.username, otherPassword: inBase64(otherAdministrator) },
    ...{ portalUsername: portalUser.username, portalPassword: inBase64(portalUser) },
  };
}

async function runRedocly(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ exitCode: number | null; printed: string }> {
  const child = spawn(process.execPath, [redocly, ...parameters], {
    cwd: repository,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...offline, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode: child.exitCode, printed: `${output}${errors}` };
}

interface Log {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly LoggedStep[] }>>;
}

/** A workflow that a step runs is in the place of a step. */
interface LoggedStep {
  readonly executedSteps?: readonly LoggedStep[];
  readonly workflowId: string;
  readonly stepId: string;
  readonly request?: { readonly method: string; readonly url: string; readonly body?: unknown };
  readonly response?: { readonly statusCode: number; readonly body?: unknown };
}

function callsIn({ files }: Log): ExecutedCall[] {
  return Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(callsOf),
  );
}

function callsOf(step: LoggedStep): ExecutedCall[] {
  const { executedSteps, workflowId, stepId, request, response } = step;
  if (executedSteps !== undefined) return executedSteps.flatMap(callsOf);
  if (request === undefined || response === undefined) return [];
  const { statusCode: status, body: answer } = response;
  return [{ workflowId, stepId, ...request, body: request.body, status, answer }];
}
