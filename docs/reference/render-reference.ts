import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { specYaml } from '@adx/contract/spec';
import { parse as parseYaml } from 'yaml';
import { samplesOf } from '../../codegen/src/emit/samples/samples.js';
import type { Search } from '../search/build-search.js';
import { navigation } from '../site/pages.js';
import { storageScript } from '../site/site-config.js';
import { languages } from '../site/texts/code-groups.js';
import { asOpenApi30 } from './openapi-3.0.js';
import { postmanCollection } from './postman-collection.js';
import { readModel } from './read-model.js';
import { selfContained } from './self-contained.js';
import { slimRedoc } from './slim-redoc.js';
import { withHeadersOnce, withNotes } from './with-notes.js';
import { type Document, isOperation, withSamples } from './with-samples.js';

const docs = dirname(import.meta.dirname);
const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);

/** Options of Redoc. */
const redocOptions = {
  downloadUrls: [
    { title: 'openapi.yaml', url: 'openapi.yaml' },
    { title: 'openapi.json', url: 'openapi.json' },
    { title: 'openapi-3.0.json', url: 'openapi-3.0.json' },
    { title: 'Postman, Bruno', url: 'postman.json' },
  ],
  // Redoc shows only the samples of these languages.
  codeSamples: {
    languages: [...languages.map(({ name }) => name), 'Payload'].map((lang) => ({ lang })),
  },
  jsonSamplesExpandLevel: 5,
  schemasExpansionLevel: 1,
  maxDisplayedEnumValues: 30,
};

/**
 * Renders the reference of the current spec, and of each released one in a folder of that version
 * (D-44). Returns the files of the site, by path: the references share the script of Redoc.
 *
 * @param root the repository
 * @param versions the released versions, the newest last
 */
export async function renderReferences(
  root: string,
  versions: readonly string[],
  search: Search,
): Promise<Map<string, string>> {
  const redoc = await slimRedoc();
  const hash = createHash('sha256').update(redoc).digest('base64url').slice(0, 8);
  const script = `assets/redoc.${hash}.js`;
  const files = new Map([[script, redoc]]);

  await add(specYaml, undefined);
  for (const version of versions) {
    await add(await readFile(join(root, 'releases', version, 'openapi.yaml'), 'utf8'), version);
  }
  return files;

  async function add(yaml: string, version: string | undefined): Promise<void> {
    const frame = {
      site: version === undefined ? '../' : '../../',
      script,
      tryIt: version === undefined ? '../interface/try.html' : undefined,
      search,
      versions: linksToVersions(versions, version),
    };
    const reference = await renderReference(yaml, frame);
    for (const [name, content] of Object.entries(reference)) {
      files.set(join('reference', version ?? '', name), content);
    }
  }
}

/**
 * The parts of the page around the reference: the path of the site from it, that of the script of
 * Redoc in the site, the page "Try it", the search, and links to other versions.
 */
interface Frame {
  readonly site: string;
  readonly script: string;
  readonly tryIt: string | undefined;
  readonly search: Search;
  readonly versions: string;
}

/** Renders the reference of a spec. */
async function renderReference(yaml: string, frame: Frame): Promise<Record<string, string>> {
  const model = readModel(yaml);
  const document: Document = parseYaml(yaml);
  const shown: Document = parseYaml(yaml, withoutPatternsOfTexts);
  const sampled = withSamples(shown, samplesOf(model));
  const described = withHeadersOnce(withNotes(sampled, frame.tryIt));
  return {
    'index.html': selfContained(await renderPage(described, frame), frame.site + frame.script),
    'openapi.yaml': yaml,
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'postman.json': `${JSON.stringify(postmanCollection(model, document), null, 2)}\n`,
    'openapi-3.0.json': `${JSON.stringify(asOpenApi30(parseYaml(yaml)), null, 2)}\n`,
  };
}

/**
 * Leaves out the pattern of a text, which is as long as a line: it forbids control characters, as
 * the section about errors says.
 */
function withoutPatternsOfTexts(key: unknown, value: unknown): unknown {
  return key === 'pattern' && String(value).includes('\\u0000') ? undefined : value;
}

/** Returns the links of the header, as on the other pages of the site. */
function navigationFrom(site: string): string {
  const links = navigation.map(({ name, path }) =>
    path === 'reference/index'
      ? `<a href="index.html" aria-current="page">${name}</a>`
      : `<a href="${site}${path}.html">${name}</a>`,
  );
  return links.join('\n');
}

/**
 * Returns the links from the page of a version to those of all others; none if there are no others.
 */
function linksToVersions(versions: readonly string[], own: string | undefined): string {
  if (versions.length === 0) return '';
  const up = own === undefined ? '' : '../';
  const links = [undefined, ...versions.toReversed()].map((version) => {
    const name = version ?? 'Current';
    const page = `${up}${version === undefined ? '' : `${version}/`}index.html`;
    return version === own ? `<b aria-current="page">${name}</b>` : `<a href="${page}">${name}</a>`;
  });
  return links.join(' ');
}

/**
 * Returns the fragments that Redoc gives to operations and tags, by those in links, in lower case
 * and without `#`: `operation/getcustomer` is `/customers/getcustomer`.
 */
function placesOf({ paths }: Document): Record<string, string> {
  const operations = Object.values(paths).flatMap(Object.values).filter(isOperation);
  const places = operations.flatMap(({ operationId, tags = [] }): [string, string][] => {
    const tag = tags[0]?.toLowerCase().replaceAll(' ', '-');
    if (tag === undefined) return [];
    const id = operationId.toLowerCase();
    return [
      [`tag/${tag}`, `/${tag}`],
      [`operation/${id}`, `/${tag}/${id}`],
    ];
  });
  return Object.fromEntries(places);
}

/** Renders the document with Redoc: returns one HTML page that contains its data. */
async function renderPage(source: Document, frame: Frame): Promise<string> {
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
        `--output=${output}`,
        `--template=${join(docs, 'reference/page.hbs')}`,
        `--templateOptions.description=${source.info.summary}`,
        `--templateOptions.storage=${storageScript}`,
        `--templateOptions.site=${frame.site}`,
        `--templateOptions.searchScript=${frame.site}${frame.search.script}`,
        `--templateOptions.searchStyle=${frame.site}${frame.search.style}`,
        `--templateOptions.navigation=${navigationFrom(frame.site)}`,
        `--templateOptions.versions=${frame.versions}`,
        `--templateOptions.places=${JSON.stringify(placesOf(source))}`,
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
