import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@adx/client';
import { createProgressBar } from '@adx/command/progress-bar';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Context, type GlobalOptions, printResult, report } from '../context.js';
import { explain, reportOf } from '../explain.js';
import { CommandFailure, mayGoOn, WrongUse } from '../failure.js';
import { type Layout, layouts } from '../folder/layout.js';
import type { ProductChoice } from '../folder/listed-files.js';
import { type PullResult, pull } from '../folder/pull.js';
import { openSyncedFolder, type SyncedFolder } from '../folder/synced-folder.js';
import { openClient } from '../settings/open-client.js';
import { numberOption, parseText, productOption } from './options.js';

interface PullCommandOptions extends GlobalOptions {
  readonly product: ProductChoice;
  readonly layout: Layout;
  readonly pdf?: true;
  readonly number?: string;
  readonly again?: true;
  readonly watch?: true;
  /** The pause in ms. */
  readonly every: number;
}

/** `adx pull` (D-51): keeps a folder in step with the service. */
export function addPullCommand(program: Command, context: Context): void {
  program
    .command('pull')
    .summary('write new files into a folder, and acknowledge them')
    .description(
      'Writes the files that are not acknowledged into a folder. A file is acknowledged once it is safe on the disk, and is never written a second time, also after you have moved it elsewhere. The folder .adx in it remembers that: keep it. If the folder is lost, --again gets the files again.',
    )
    .argument('<folder>', 'it is created if it does not exist', parseText)
    .addOption(productOption())
    .addOption(numberOption())
    .option('--pdf', 'also write the PDF of each file')
    .addOption(
      new Option(
        '--layout <layout>',
        'subfolders: none; by customer, year and account; of WinBooks',
      )
        .choices(layouts)
        .default('flat' as const),
    )
    .option(
      '--again',
      'also files that are acknowledged, unless they were written into this folder',
    )
    .option('--watch', 'go on, and look for new files again and again')
    .addOption(
      new Option('--every <time>', 'with --watch: time between two looks, such as 30s or 1h')
        .argParser(parseTime)
        .default(900_000, '15m'),
    )
    .action(async (path: string, _, command: Command) => {
      const options = command.optsWithGlobals<PullCommandOptions>();
      if (options.watch !== true && command.getOptionValueSource('every') === 'cli') {
        throw new WrongUse('--every is for --watch.');
      }
      if (options.watch === true && options.again === true) {
        throw new WrongUse('--again is for a single run, without --watch.');
      }
      // A nightly run survives an outage of a minute; `--watch` tries again by itself.
      const patience = options.watch === true ? {} : { maxRetries: 8 };
      const client = await openClient(context, options, patience);
      let isKnown = false;
      const pullAgain = async () => {
        const folder = await openSyncedFolder(path, options.layout, isKnown);
        isKnown = true;
        await pullOnce(context, options, client, folder);
      };
      if (options.watch === true) await watch(context, options, pullAgain);
      else await pullAgain();
    });
}

/**
 * Pulls once, closes the folder, and prints the result; with `--watch` only if there was a file.
 *
 * @throws the error that stopped it, or CommandFailure if a file could not be pulled
 */
async function pullOnce(
  context: Context,
  options: PullCommandOptions,
  client: Client,
  folder: SyncedFolder,
): Promise<void> {
  const { product, pdf = false, again = false, number } = options;
  const bar = createProgressBar(context.stderr, options.json === true);
  let result: PullResult;
  try {
    result = await pull(client, folder, { product, pdf, again, number }, bar.show);
  } finally {
    bar.clear();
    await folder.close();
  }
  const { written, failed, error } = result;
  const isEvent = options.watch === true;
  if (!isEvent || written.length > 0 || failed.length > 0) {
    printResult(context, options, summaryOf(result), () => textOf(result), isEvent ? 0 : 2);
  }
  if (error !== undefined) throw error;
  if (failed.length > 0) throw new CommandFailure(`${failed.length} files were not pulled.`);
}

/**
 * Pulls again and again, until somebody has to change the settings, the credentials or their
 * rights.
 */
async function watch(
  context: Context,
  options: PullCommandOptions,
  pullAgain: () => Promise<void>,
): Promise<never> {
  for (;;) {
    try {
      await pullAgain();
    } catch (error) {
      if (!mayGoOn(error)) throw error;
      const text = options.json === true ? JSON.stringify(reportOf(error)) : explain(error);
      report(context, `${text}${options.json === true ? '' : ' It is tried again.'}\n`);
    }
    await pause(options.every);
  }
}

function summaryOf({ written, acknowledged, failed, elsewhere }: PullResult): object {
  return { written, acknowledged, failed, ...(elsewhere > 0 && { elsewhere }) };
}

function textOf({ written, acknowledged, failed, elsewhere }: PullResult): string {
  return [
    ...written.map((path) => `${path}\n`),
    ...failed.map(({ fileName, reason }) => `${fileName} failed: ${reason}\n`),
    `${written.length} written, ${acknowledged} acknowledged, ${failed.length} failed\n`,
    ...(elsewhere > 0
      ? [`${elsewhere} acknowledged before, not in this folder: get them with --again\n`]
      : []),
  ].join('');
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Parses seconds, minutes or hours, and returns ms. */
function parseTime(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (ms > 0 && ms <= 86_400_000) return ms;
  throw new InvalidArgumentError('Give a time such as 30s, 15m or 1h, at most 24h.');
}
