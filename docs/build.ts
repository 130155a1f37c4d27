import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isReplaceable, replaceFolder } from './site/site-folder.js';

const usage = `npm run docs [-- [<folder>] [--base <path>]]

Builds the site of the documentation, by default in docs/dist. Any static host can serve the folder.

  <folder>       the folder to write, in place of what an earlier build wrote there; relative to the repository
  --base <path>  the path of the site on its host (default /docs/, where the service serves it)`;

const docs = import.meta.dirname;
const root = dirname(docs);

process.exitCode = await main();

async function main(): Promise<number> {
  const options = parse();
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const { folder, base } = options;
  if (folder !== undefined && !(await isReplaceable(folder))) {
    process.stderr.write(
      `${folder} is neither an empty folder nor one that this command has built.\n`,
    );
    return 1;
  }
  const site = folder ?? join(docs, 'dist');
  // Loaded only now, so that a mistake on the command line is told at once.
  const { renderSite } = await import('./site/render-site.js');
  const { withCompressed } = await import('./site/compressed.js');
  await replaceFolder(site, await withCompressed(await renderSite(root, base)));
  process.stdout.write(`The documentation is in ${site}\n`);
  return 0;
}

/** Returns the options of the command line, or the mistake in it. */
function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        base: { type: 'string', default: '/docs/' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [folder, ...others] = positionals;
    if (others.length > 0) return 'Give one folder only.';
    const { base, help } = values;
    if (!/^\/([\w.~-]+\/)*$/.test(base)) return 'Give --base a path such as /partners/docs/.';
    return { folder: folder === undefined ? undefined : resolve(root, folder), base, help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
