import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { spec, specYaml } from '@adx/contract/spec';
import { samplesOf } from '../../codegen/src/emit/samples/samples.js';
import { readModel } from '../reference/read-model.js';
import { type Dates, noDates, shownDay } from './dates.js';
import { withLinksToPages } from './links.js';
import { home, operatorSections, type Page, page, sections } from './pages.js';
import { codaTable } from './texts/coda-tables.js';
import { programGroup, withSampleGroups, withShells } from './texts/code-groups.js';
import { errorPage, errorPages, errorPath, errorTable } from './texts/error-pages.js';
import { findingList } from './texts/finding-pages.js';
import { interfaceChanges } from './texts/interface-changes.js';
import { journeys } from './texts/journey-texts.js';
import { lifecyclePicture } from './texts/lifecycle-picture.js';
import { statusTable } from './texts/mandate-guide.js';
import { overviewPicture } from './texts/overview-picture.js';
import { scenarioTables } from './texts/scenario-tables.js';
import { answerOf, descriptionOfTag, sectionOf } from './texts/spec-texts.js';

/** A page of the site in Markdown. */
export interface Assembled {
  /** Without an extension. */
  readonly path: string;
  readonly markdown: string;
}

/**
 * Returns all pages of the site in Markdown, with links to each other: those of the repository, in
 * which the instructions `<!-- name: value -->` are replaced by what they name, and one for each
 * error code.
 *
 * @param root the repository
 * @param versions the released versions of the interface, the newest last
 * @param decisions the names of the files in `docs/decisions`
 * @param dates when the files were changed, which each page says
 */
export async function assemble(
  root: string,
  versions: readonly string[],
  decisions: readonly string[],
  dates: Dates = noDates,
): Promise<Assembled[]> {
  const pages = [
    home,
    ...[...sections, ...operatorSections].flatMap((section) => section.pages),
    ...decisions.filter((name) => name !== 'README.md').map(pageOfDecision),
  ];
  const paths = new Map(pages.map(({ source, path }) => [source, path]));
  const instructions: Instructions = {
    section: (heading) => sectionOf(spec.info['description'], heading),
    tag: (name) => descriptionOfTag(spec['tags'], name),
    answer: answerOf,
    statuses: statusTable,
    lifecycle: lifecyclePicture,
    overview: overviewPicture,
    errors: errorTable,
    findings: findingList,
    coda: codaTable,
    scenarios: scenarioTables,
    changes: () => interfaceChanges(root, versions, dates),
    journeys: () => journeys(root),
    file: (path) => codeOfFile(root, path),
    program: (name) => programGroup(root, name),
    // The marks around a table that a benchmark writes.
    measured: () => '',
    end: () => '',
  };
  const samples = samplesOf(readModel(specYaml));
  const written = pages.map(async ({ path, source }) => {
    const text = await readFile(join(root, source), 'utf8');
    const expanded = await expand(withShells(withSampleGroups(text, samples)), instructions);
    const linked = withLinksToPages(expanded, source, path, paths);
    return { path, markdown: linked + lastChange(dates.changed.get(source)) };
  });
  const errors = errorPages.map((each) => {
    const path = errorPath(each);
    return { path, markdown: withLinksToPages(errorPage(each), path, path, paths) };
  });
  return [...(await Promise.all(written)), ...errors];
}

function pageOfDecision(name: string): Page {
  const title = basename(name, '.md');
  return page(`decisions/${title}`, title, `docs/decisions/${name}`);
}

function lastChange(day: string | undefined): string {
  return day === undefined ? '' : `\n<p class="last-change">Last changed on ${shownDay(day)}</p>\n`;
}

/** Returns a file of the repository as a block of code in Markdown. */
async function codeOfFile(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), 'utf8');
  return `\`\`\`${extname(path).slice(1)}\n${text}\`\`\``;
}

/** By name, what an instruction with this value is replaced by. */
type Instructions = Readonly<Record<string, (value: string) => string | Promise<string>>>;

/** @throws if there is no such instruction */
async function expand(markdown: string, instructions: Instructions): Promise<string> {
  const parts = markdown.split(/^(<!-- \w+(?:: .+)? -->)$/m).map((part) => {
    const [, name, value = ''] = /^<!-- (\w+)(?:: (.+))? -->$/.exec(part) ?? [];
    if (name === undefined) return part;
    const instruction = instructions[name];
    if (instruction === undefined) throw new Error(`There is no instruction ${part}`);
    return instruction(value);
  });
  return (await Promise.all(parts)).join('');
}
