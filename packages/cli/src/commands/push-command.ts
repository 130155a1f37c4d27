import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AdxError, type Client, type UploadRecord } from '@adx/client';
import { type Command, Option } from 'commander';
import { type Context, type JsonOption, printResult } from '../context.js';
import { CommandFailure, exitCodeOf, exitCodes, explain } from '../failure.js';
import { openClient } from '../settings/open-client.js';
import type { ProfileOption } from '../settings/settings.js';

interface PushOptions extends JsonOption, ProfileOption {
  readonly product?: 'coda' | 'codb';
}

/** A file that the service has read. */
interface Read {
  readonly file: string;
  readonly upload: UploadRecord;
}

/** A file that could not be uploaded, or whose outcome is not known. */
interface Failure {
  readonly file: string;
  readonly cause: unknown;
}

type Attempt = Read | Failure;

/** The result for one file: the upload with its findings, or the error that prevented it. */
type Pushed = Read | { readonly file: string; readonly error: string };

/** `adx push` (§4.20, §4.21): uploads files, and prints what the service found in them. */
export function addPushCommand(program: Command, context: Context): void {
  program
    .command('push')
    .summary('upload files, and wait until the service has read them')
    .description(
      'Uploads bank statements (CODA) and payroll files (CODB), waits until the service has read them, and prints the findings. The exit code is 1 if a file is rejected. A statement that is already listed is not listed twice.',
    )
    .argument('<files...>')
    .addOption(
      new Option('--product <product>', 'by default seen from the content').choices([
        'coda',
        'codb',
      ]),
    )
    .action(async (paths: string[], _, command: Command) => {
      const options = command.optsWithGlobals<PushOptions>();
      const contents = await Promise.all(
        paths.map(async (file) => ({ file, bytes: await readFile(file) })),
      );
      const client = await openClient(context, options);
      const pushed = await pushAll(client, contents, options.product);
      printResult(context, options, pushed, () => pushed.map(pushedText).join(''));
      const refused = pushed.filter(
        (each) => 'error' in each || each.upload.status !== 'processed',
      ).length;
      if (refused > 0) {
        throw new CommandFailure(`${refused} of ${pushed.length} files were not accepted.`);
      }
    });
}

/** Uploads files one after the other, and waits for all outcomes together. */
async function pushAll(
  client: Client,
  contents: readonly { readonly file: string; readonly bytes: Uint8Array }[],
  product: PushOptions['product'],
): Promise<Pushed[]> {
  const attempts: Promise<Attempt>[] = [];
  for (const { file, bytes } of contents) {
    const isPayroll = product === undefined ? looksLikeXml(bytes) : product === 'codb';
    const files = isPayroll ? client.codbFiles : client.codaFiles;
    try {
      const upload = await files.upload(bytes, basename(file));
      attempts.push(
        upload.outcome().then(
          (outcome) => ({ file, upload: outcome }),
          (cause: unknown) => ({ file, cause }),
        ),
      );
    } catch (cause) {
      attempts.push(Promise.resolve({ file, cause }));
    }
  }
  const ended = await Promise.all(attempts);
  return ended.map((each) => ('upload' in each ? each : failureOf(each)));
}

/** @throws the error if it is not about this file alone */
function failureOf({ file, cause }: Failure): Pushed {
  if (!(cause instanceof AdxError) || exitCodeOf(cause) === exitCodes.refused) throw cause;
  return { file, error: explain(cause) };
}

/** Returns true if the first character, after a byte order mark and white space, is `<`. */
function looksLikeXml(bytes: Uint8Array): boolean {
  return /^[\xEF\xBB\xBF\xFE\xFF\0\s]*</.test(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  );
}

function pushedText(pushed: Pushed): string {
  if ('error' in pushed) return `${pushed.file}: ${pushed.error}\n`;
  const { status, files, fileCount, findings, findingCount } = pushed.upload;
  const omitted = findingCount - findings.length;
  return [
    `${pushed.file}: ${status}, ${fileCount} new files\n`,
    ...files.map(({ fileName }) => `  ${fileName}\n`),
    ...findings.map(
      ({ severity, record, message }) =>
        `  ${severity}${record === undefined ? '' : ` in line ${record}`}: ${message}\n`,
    ),
    ...(omitted > 0 ? [`  and ${omitted} more findings\n`] : []),
  ].join('');
}
