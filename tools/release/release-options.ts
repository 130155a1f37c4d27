import { parseArgs } from 'node:util';
import { orUsageError, UsageError } from '../../codegen/src/options.js';
import type { ReleaseOptions } from './release.js';
import { Refusal } from './run.js';

export const usage = `npm run release -- --dry-run [--registry <url>]
npm run release -- --registry <url> [--provenance]

Releases the current commit: the next version by the changes of openapi.yaml, the changelog, the documentation,
and the packages that partners install. After a failure, run it again.

  --dry-run         print what a release would do, and why it would be refused; change nothing
  --registry <url>  the npm registry to publish to
  --provenance      publish with a signed statement of origin; only in the continuous integration of
                    GitHub or GitLab, and for a registry that accepts it`;

/** The settings by which npm can get an identity for a statement of origin. */
const identities = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'SIGSTORE_ID_TOKEN'];

/**
 * @throws UsageError
 * @throws Refusal if a statement of origin is asked for that nothing can sign
 */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
): ReleaseOptions | undefined {
  const { help, 'dry-run': dryRun = false, registry, provenance = false } = parse(args);
  if (help) return undefined;
  if (environment['npm_config_dry_run'] === 'true') {
    // npm would publish nothing, and report success.
    throw new UsageError('npm took --dry-run for itself. Put it behind `--`.');
  }
  if (!dryRun && registry === undefined) throw new UsageError('--registry is missing.');
  if (registry !== undefined && !isRegistry(registry)) {
    throw new UsageError('--registry is not an https:// or http:// URL without a password.');
  }
  if (provenance && identities.every((name) => environment[name] === undefined)) {
    throw new Refusal(
      '--provenance needs an identity of continuous integration, which is not set.',
    );
  }
  return { dryRun, registry, provenance };
}

function parse(args: readonly string[]) {
  return orUsageError(() =>
    parseArgs({
      args: [...args],
      options: {
        'dry-run': { type: 'boolean' },
        registry: { type: 'string' },
        provenance: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  ).values;
}

/** Returns false for other texts, in place of which npm would take its default registry. */
function isRegistry(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return `${username}${password}` === '';
}
