import { basename } from 'node:path';
import { ApiError, type Client, TimeoutError, type UploadRecord } from '@adx/client';
import { createProgressBar } from '@adx/command/progress-bar';
import { type Command, Option } from 'commander';
import { type Context, type GlobalOptions, hint, printResult } from '../context.js';
import { type ErrorReport, reportOf, textOf } from '../explain.js';
import {
  CommandFailure,
  exitCodeOf,
  exitCodes,
  interruptible,
  PartFailure,
  WrongUse,
} from '../failure.js';
import { type ProductName, productNames, products, resources } from '../folder/listed-files.js';
import { expandPatterns } from '../push/expand-patterns.js';
import { productOf } from '../push/product-of.js';
import { readInput } from '../read-input.js';
import { openClient } from '../settings/open-client.js';
import { variablesOf } from '../settings/settings.js';
import { uploadText } from './upload-commands.js';

interface PushOptions extends GlobalOptions {
  readonly product?: ProductName;
}

/** The result for one file: the upload with its findings, or why there is none. */
type Pushed =
  | { readonly file: string; readonly upload: UploadRecord }
  | { readonly file: string; readonly error: ErrorReport; readonly exitCode: number };

/** `adx push` (§4.20, §4.21): uploads files, and prints what the service found in them. */
export function addPushCommand(program: Command, context: Context): void {
  program
    .command('push')
    .summary('upload files, and wait until the service has read them')
    .description(
      'Uploads bank statements (CODA) and payroll files (CODB), waits until the service has read them, and prints the findings. What looks like neither is not uploaded. A statement that is already listed is not listed twice.',
    )
    .argument('<files...>', 'files, or patterns such as *.cod')
    .addOption(
      new Option('--product <product>', 'upload as this, whatever it looks like').choices(
        productNames,
      ),
    )
    .action(async (paths: string[], _, command: Command) => {
      const options = command.optsWithGlobals<PushOptions>();
      const files = await expandPatterns(paths);
      const client = await openClient(context, options);
      const env = variablesOf(context, options);
      const bar = createProgressBar(context.stderr, options.json === true);
      const { pushed, error } = await interruptible((signal) =>
        pushAll(client, files, options.product, env, signal, bar.show),
      ).finally(bar.clear);
      printResult(context, options, pushed, () => pushed.map(pushedText).join(''));
      if (error !== undefined) {
        hint(context, options, 'Push the files without a verdict again: nothing is listed twice.');
        throw error;
      }
      const refused = pushed.map(exitCodeOfFile).filter((code) => code !== exitCodes.done);
      if (refused.length > 0) {
        const message = `Not accepted: ${refused.length} of ${pushed.length} files.`;
        throw new PartFailure(message, refused);
      }
    });
}

/**
 * Uploads files one after the other, and waits for all verdicts together.
 *
 * @param env the variables, for the advice after an error
 * @returns the files in the order of the command line, and the error after which no more were
 *   uploaded
 */
async function pushAll(
  client: Client,
  paths: readonly string[],
  product: PushOptions['product'],
  env: Context['env'],
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<{ pushed: readonly Pushed[]; error: unknown }> {
  let done = 0;
  let stopped: unknown;
  const ended = (pushed: Pushed): Pushed => {
    done += 1;
    onProgress(done, paths.length);
    return pushed;
  };
  const failed = (file: string, before: string, cause: unknown): Pushed => {
    if (!isOfOneFile(cause)) stopped ??= cause;
    const error = reportOf(cause, env);
    const message = `${before}${error.message}`;
    return ended({ file, error: { ...error, message }, exitCode: exitCodeOf(cause) });
  };
  const verdicts: (Pushed | Promise<Pushed>)[] = [];
  for (const file of paths) {
    if (stopped !== undefined) {
      const error = reportOf(new CommandFailure('It was not uploaded.'));
      verdicts.push({ file, error, exitCode: exitCodes.failed });
      continue;
    }
    try {
      const bytes = await readInput(file);
      const files = client[resources[products[product ?? productOf(file, bytes)]]];
      const upload = await files.upload(bytes, basename(file), { signal });
      const verdict = upload.outcome({ signal }).then(
        (outcome) => ended({ file, upload: outcome }),
        (cause: unknown) => failed(file, 'It was uploaded, and has no verdict yet. ', cause),
      );
      verdicts.push(verdict);
    } catch (cause) {
      verdicts.push(failed(file, '', cause));
    }
  }
  return { pushed: await Promise.all(verdicts), error: stopped };
}

/** Returns the exit code for a file: a rejected one has to be corrected. */
function exitCodeOfFile(pushed: Pushed): number {
  if ('error' in pushed) return pushed.exitCode;
  return pushed.upload.status === 'rejected' ? exitCodes.wrongUse : exitCodes.done;
}

/** Returns true if other files may succeed. */
function isOfOneFile(error: unknown): boolean {
  if (error instanceof TimeoutError || error instanceof WrongUse) return true;
  return error instanceof ApiError && exitCodeOf(error) !== exitCodes.refused;
}

function pushedText(pushed: Pushed): string {
  if ('error' in pushed) {
    const text = textOf(pushed.error);
    return `${text.startsWith(`${pushed.file} `) ? '' : `${pushed.file}: `}${text}\n`;
  }
  return uploadText(pushed.file, pushed.upload);
}
