import { parseArgs } from 'node:util';
import { SourceError } from '../src/diff/releases.js';
import { release } from './release.js';
import { CommandError, Refusal } from './run.js';

const usage = `npm run release -- --dry-run [--registry <url>]
npm run release -- --registry <url> [--provenance]

Releases the current commit: the next version by the changes of openapi.yaml, the changelog, the documentation,
and the packages that partners install. After a failure, run it again.

  --dry-run         print what a release would do, and why it would be refused; change nothing
  --registry <url>  the npm registry to publish to
  --provenance      publish with a signed statement of origin; only in the continuous integration of
                    GitHub or GitLab, and for a registry that accepts it`;

/** The settings by which npm can get an identity for a statement of origin. */
const identities = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'SIGSTORE_ID_TOKEN'];

const complain = (message: string) => process.stderr.write(`${message}\n`);

/** A mistake in the command line, which the message describes. */
class UsageError extends Error {}

/** @throws UsageError */
function parse() {
  try {
    return parseArgs({
      options: {
        'dry-run': { type: 'boolean' },
        registry: { type: 'string' },
        provenance: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

// The running command gets the interrupt too, and ends; the release then puts back what it changed.
const interrupt = new AbortController();
process.on('SIGINT', () => interrupt.abort(new Refusal('The release was interrupted.')));

process.exitCode = await main();

/** npm takes its default registry in place of one that is not a URL, and the output names the URL. */
function isRegistry(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return `${username}${password}` === '';
}

async function main(): Promise<number> {
  try {
    const { help, 'dry-run': dryRun = false, registry, provenance = false } = parse();
    if (help) {
      process.stdout.write(`${usage}\n`);
      return 0;
    }
    if (process.env['npm_config_dry_run'] === 'true') {
      // npm would publish nothing, and report success.
      throw new UsageError('npm took --dry-run for itself. Put it behind `--`.');
    }
    if (!dryRun && registry === undefined) throw new UsageError('--registry is missing.');
    if (registry !== undefined && !isRegistry(registry)) {
      throw new UsageError('--registry is not an https:// or http:// URL without a password.');
    }
    if (provenance && identities.every((name) => process.env[name] === undefined)) {
      throw new Refusal(
        '--provenance needs an identity of continuous integration, which is not set.',
      );
    }
    const today = new Date().toISOString().slice(0, 10);
    const options = { dryRun, registry, provenance };
    const say = (line: string) => process.stdout.write(`${line}\n`);
    await release(options, process.cwd(), today, say, interrupt.signal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\n\n${usage}`);
      return 2;
    }
    const isExpected = [Refusal, SourceError, CommandError].some((type) => error instanceof type);
    if (!isExpected) throw error;
    complain(`\n${(error as Error).message}`);
    return 1;
  }
}
