/**
 * Builds the site of the reference documentation: `build.ts [folder]`, by default `docs/dist`.
 * Any static host can serve the folder, at any path.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { samples } from './generated/samples.gen.js';
import { selfContained } from './self-contained.js';
import { withDeprecations } from './with-deprecations.js';
import { type Document, withSamples } from './with-samples.js';

const docs = dirname(fileURLToPath(import.meta.url));
const site = resolve(process.argv[2] ?? join(docs, 'dist'));
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

const lines = join(docs, '../packages/contract/src/generated/openapi-lines.gen.json');
const yaml: string = JSON.parse(await readFile(lines, 'utf8')).join('\n');
const document: Document = parse(yaml);
const page = await renderPage({
  ...withDeprecations(withSamples(document, samples)),
  info: { ...document.info, 'x-logo': { url: 'logo.svg', altText: document.info.title } },
});

await rm(site, { recursive: true, force: true });
await mkdir(site, { recursive: true });
await writeFile(join(site, 'index.html'), selfContained(page));
await writeFile(join(site, 'openapi.yaml'), yaml);
await writeFile(join(site, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
for (const image of ['favicon.svg', 'logo.svg']) await cp(join(docs, image), join(site, image));
process.stdout.write(`The documentation is in ${site}\n`);

/** Renders the document with Redoc: returns one HTML page that contains its script and its data. */
async function renderPage(source: Document): Promise<string> {
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
