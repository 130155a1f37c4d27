import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { readConfig } from '../codegen/src/config.js';
import { readFrom, releasedVersions } from '../codegen/src/diff/releases.js';
import { readApi } from '../codegen/src/diff/weigh.js';
import { formatFinding } from '../codegen/src/document/finding.js';
import { samplesOf } from '../codegen/src/emit/samples.js';
import { buildApiModel } from '../codegen/src/model/build-api-model.js';
import { samples } from './generated/samples.gen.js';
import { selfContained } from './self-contained.js';
import { isReplaceable, replaceFolder, type siteFiles } from './site-folder.js';
import { withDeprecations } from './with-deprecations.js';
import { type Document, withSamples } from './with-samples.js';

const usage = `npm run docs [-- [<folder>] [--releases]]

Builds the site of the reference documentation, by default in docs/dist. Any static host can serve the folder,
at any path.

  <folder>    the folder to write, in place of what an earlier build wrote there; relative to the repository
  --releases  also build the reference of each released version, in a folder of that name`;

const docs = dirname(fileURLToPath(import.meta.url));
const root = join(docs, '..');
const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);

/** Options of Redoc. */
const redocOptions = {
  downloadUrls: [
    { title: 'openapi.yaml', url: 'openapi.yaml' },
    { title: 'openapi.json', url: 'openapi.json' },
  ],
  // Redoc shows only the samples of these languages.
  codeSamples: { languages: [{ lang: 'TypeScript' }, { lang: 'curl' }, { lang: 'Payload' }] },
  jsonSamplesExpandLevel: 5,
  schemasExpansionLevel: 1,
  maxDisplayedEnumValues: 30,
};

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
  const { folder, releases } = options;
  if (folder !== undefined && !(await isReplaceable(folder))) {
    process.stderr.write(
      `${folder} is neither an empty folder nor one that this command has built.\n`,
    );
    return 1;
  }
  const site = folder ?? join(docs, 'dist');
  await replaceFolder(site, await renderSite(releases));
  process.stdout.write(`The documentation is in ${site}\n`);
  return 0;
}

/** Returns the options of the command line, or the mistake in it. */
function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { releases: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const [folder, ...others] = positionals;
    if (others.length > 0) return 'Give one folder only.';
    const { releases = false, help = false } = values;
    return { folder: folder === undefined ? undefined : resolve(root, folder), releases, help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Renders the reference of the current spec, and of each released one if that is asked for: path and content. */
async function renderSite(releases: boolean): Promise<Map<string, string>> {
  const lines = join(root, 'packages/contract/src/generated/openapi-lines.gen.json');
  const config = readConfig(await readFile(join(root, 'codegen/adx.yaml'), 'utf8'), 'adx.yaml');
  if (!config.ok) throw new Error(config.findings.map(formatFinding).join('\n'));
  const versions = releases ? await releasedVersions(join(root, 'openapi.yaml')) : [];
  const files = new Map<string, string>();

  await add(JSON.parse(await readFile(lines, 'utf8')).join('\n'), samples, undefined);
  for (const version of versions) {
    const source = readFrom(join(root, 'releases', version, 'openapi.yaml'), root);
    const model = buildApiModel(await readApi(source), config.value);
    const own = model.operations.map((operation) => [operation.id, samplesOf(operation, model)]);
    await add(source.text, Object.fromEntries(own), version);
  }
  return files;

  async function add(
    yaml: string,
    codeSamples: Parameters<typeof withSamples>[1],
    version: string | undefined,
  ): Promise<void> {
    const reference = await renderReference(yaml, codeSamples, linksToVersions(versions, version));
    for (const [name, content] of Object.entries(reference)) {
      files.set(join(version ?? '', name), content);
    }
  }
}

/** Renders the reference of a spec. */
async function renderReference(
  yaml: string,
  codeSamples: Parameters<typeof withSamples>[1],
  links: string,
): Promise<Record<(typeof siteFiles)[number], string>> {
  const document: Document = parseYaml(yaml);
  const info = { ...document.info, 'x-logo': { url: 'logo.svg', altText: document.info.title } };
  const described = withDeprecations(withSamples(document, codeSamples));
  return {
    'index.html': selfContained(await renderPage({ ...described, info }, links)),
    'openapi.yaml': yaml,
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'favicon.svg': await readFile(join(docs, 'favicon.svg'), 'utf8'),
    'logo.svg': await readFile(join(docs, 'logo.svg'), 'utf8'),
  };
}

/** Returns the links from the page of a version to those of all others; none if there are no others. */
function linksToVersions(versions: readonly string[], own: string | undefined): string {
  if (versions.length === 0) return '';
  const up = own === undefined ? '' : '../';
  const links = [undefined, ...versions.toReversed()].map((version) => {
    const name = version ?? 'Current';
    const page = `${up}${version === undefined ? '' : `${version}/`}index.html`;
    return version === own ? `<b aria-current="page">${name}</b>` : `<a href="${page}">${name}</a>`;
  });
  return `<nav class="versions" aria-label="Versions">${links.join(' ')}</nav>`;
}

/** Renders the document with Redoc: returns one HTML page that contains its script and its data. */
async function renderPage(source: Document, links: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-docs-'));
  const input = join(folder, 'openapi.json');
  const output = join(folder, 'index.html');
  try {
    await writeFile(input, JSON.stringify(source));
    await promisify(execFile)(
      process.execPath,
      [
        redocly,
        'build-docs',
        input,
        '--inlineBundle',
        `--output=${output}`,
        `--template=${join(docs, 'page.hbs')}`,
        `--templateOptions.description=${source.info.summary}`,
        `--templateOptions.versions=${links}`,
        `--openapi=${JSON.stringify(redocOptions)}`,
      ],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    return await readFile(output, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
