import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, plainConfig, readConfig } from './config.js';
import {
  type Finding,
  formatFinding,
  inReadingOrder,
  type Outcome,
  oncePerMessage,
} from './document/finding.js';
import { SpecFiles } from './document/spec-files.js';
import type { FileSet } from './emit/emit-files.js';
import { journeysWithStubs } from './emit/journeys.js';
import { type Drift, findDrift, readFolders, readRuntime, writeFiles } from './generated-files.js';
import type { Libraries } from './libraries/libraries-thread.js';
import type { Options } from './options.js';
import { render } from './render.js';

export interface Output {
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/**
 * @param willRead receives the absolute path of each file before it is read
 * @returns false if a file cannot be read, if there are findings, or drift in the mode `check`
 */
export async function generate(
  options: Options,
  libraries: Pick<Libraries, 'renderSchemaTypes' | 'lint'>,
  { say, complain }: Output,
  willRead?: (path: string) => void,
): Promise<boolean> {
  const { mode, spec, shownSpec, root, config: configPath } = options;
  const files = new SpecFiles(spec, shownSpec, { willRead });
  const [text, configText] = [files.read(spec), configPath && files.read(configPath)];
  const missing = [
    ...(text === undefined ? [spec] : []),
    ...(configPath !== undefined && configText === undefined ? [configPath] : []),
  ];
  for (const path of missing) complain(files.failureOf(path));
  if (text === undefined || missing.length > 0) return false;

  const config: Outcome<Config> =
    configPath === undefined
      ? { ok: true, value: plainConfig }
      : readConfig(configText ?? '', files.shown(configPath));
  if (!config.ok) return complainOf(config.findings, complain);

  const linterConfig = join(dirname(spec), 'redocly.yaml');
  const rendering = await render(text, {
    config: config.value,
    files,
    runtime: await readRuntime(),
    renderSchemaTypes: libraries.renderSchemaTypes,
    lint: (document) => (existsSync(linterConfig) ? libraries.lint(document, linterConfig) : []),
  });
  if (!rendering.ok) return complainOf(rendering.findings, complain);

  const { files: rendered, model, notes } = rendering.value;
  for (const note of oncePerMessage(inReadingOrder(notes))) complain(formatFinding(note));
  const { layout } = config.value;
  const journeys = journeysWithStubs(model, await readJourneys(root, layout));
  if (!journeys.ok) return complainOf(journeys.findings, complain);
  const drift: Drift[] = [
    ...(await findDrift(root, Object.values(layout.folders), rendered)),
    ...[...journeys.value.keys()].map((path) => ({ kind: 'changed', path }) as const),
  ];
  const generated = new Map([...rendered, ...journeys.value]);
  const isCheck = mode === 'check';
  if (!isCheck) await writeFiles(root, generated, drift);
  for (const { kind, path } of drift) {
    if (isCheck) complain(`${kind} ${path}`);
    else say(`${verb(kind)} ${path}`);
  }

  const { length } = model.operations;
  const amount = `${length === 1 ? '1 operation' : `${length} operations`}, ${generated.size} files`;
  if (isCheck && drift.length > 0) {
    const remedy = layout.modules ? 'Run `npm run generate`' : 'Run adx-codegen without --check';
    complain(`${amount}, ${drift.length} out of date. ${remedy}.`);
    return false;
  }
  say(`${amount}${drift.length === 0 ? ', all up to date' : `, ${drift.length} written`}.`);
  return true;
}

/** Returns the journeys, by path, if the layout has any. */
function readJourneys(root: string, { journeys }: Config['layout']): Promise<FileSet> {
  return readFolders(root, journeys === undefined ? [] : [journeys], /\.arazzo\.yaml$/);
}

function complainOf(findings: readonly Finding[], complain: Output['complain']): false {
  for (const finding of findings) complain(formatFinding(finding));
  complain(
    `${findings.length === 1 ? '1 finding' : `${findings.length} findings`}, nothing generated.`,
  );
  return false;
}

function verb(kind: Drift['kind']): string {
  return { changed: 'changed', missing: 'created', extra: 'removed' }[kind];
}
