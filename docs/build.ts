/**
 * Builds the site of the reference documentation: `build.ts [folder] [--releases]`, by default in `docs/dist`.
 * Any static host can serve the folder, at any path. `--releases` builds that of each released version too, in a
 * folder of that name (D-44).
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parse } from 'yaml';
import { readConfig } from '../codegen/src/config.js';
import { readFrom, releasedVersions } from '../codegen/src/diff/releases.js';
import { readApi } from '../codegen/src/diff/weigh.js';
import { formatFinding } from '../codegen/src/document/finding.js';
import { samplesOf } from '../codegen/src/emit/samples.js';
import { buildApiModel } from '../codegen/src/model/build-api-model.js';
import { samples } from './generated/samples.gen.js';
import { selfContained } from './self-contained.js';
import { withDeprecations } from './with-deprecations.js';
import { type Document, withSamples } from './with-samples.js';

const docs = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { releases: { type: 'boolean' } },
});
const site = resolve(positionals[0] ?? join(docs, 'dist'));
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

const root = join(docs, '..');
const lines = join(root, 'packages/contract/src/generated/openapi-lines.gen.json');
const config = readConfig(await readFile(join(root, 'codegen/adx.yaml'), 'utf8'), 'adx.yaml');
if (!config.ok) throw new Error(config.findings.map(formatFinding).join('\n'));
const versions = values.releases ? await releasedVersions(join(root, 'openapi.yaml')) : [];

await rm(site, { recursive: true, force: true });
await buildPages(JSON.parse(await readFile(lines, 'utf8')).join('\n'), samples, undefined);
for (const version of versions) {
  const source = readFrom(join(root, 'releases', version, 'openapi.yaml'), root);
  const model = buildApiModel(await readApi(source), config.value);
  const released = model.operations.map((operation) => [operation.id, samplesOf(operation, model)]);
  await buildPages(source.text, Object.fromEntries(released), version);
}
process.stdout.write(`The documentation is in ${site}\n`);

/** Builds the reference of a spec, and puts it into the folder of its version, by default into the site. */
async function buildPages(
  yaml: string,
  codeSamples: Parameters<typeof withSamples>[1],
  version: string | undefined,
): Promise<void> {
  const document: Document = parse(yaml);
  const info = { ...document.info, 'x-logo': { url: 'logo.svg', altText: document.info.title } };
  const described = withDeprecations(withSamples(document, codeSamples));
  const page = await renderPage({ ...described, info }, version);
  const folder = join(site, version ?? '');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.html'), selfContained(page));
  await writeFile(join(folder, 'openapi.yaml'), yaml);
  await writeFile(join(folder, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  for (const image of ['favicon.svg', 'logo.svg']) await cp(join(docs, image), join(folder, image));
}

/** Returns the links from the page of a version to those of all others; none if there are no others. */
function linksToVersions(own: string | undefined): string {
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
async function renderPage(source: Document, version: string | undefined): Promise<string> {
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
        `--templateOptions.versions=${linksToVersions(version)}`,
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
