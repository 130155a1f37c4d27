import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plainConfig, readConfig } from './config.js';
import { type Finding, formatFinding } from './document/finding.js';
import { SpecFiles } from './document/spec-files.js';
import { generatedFolders } from './emit/emit-files.js';
import { type Drift, findDrift, writeFiles } from './generated-files.js';
import type { Libraries } from './libraries/libraries-thread.js';
import type { Options } from './options.js';
import { render } from './render.js';
import { readRuntime } from './runtime-texts.js';

/** Receives lines of text. */
export interface Output {
  /** Results. */
  readonly say: (line: string) => void;
  /** Mistakes. */
  readonly complain: (line: string) => void;
}

/**
 * Reads, checks and renders the spec once, then writes or compares the files.
 *
 * @param willRead receives the absolute path of each file of the spec before it is read
 * @returns false if there are findings, or drift in the mode `check`
 * @throws ConfigError
 */
export async function generate(
  { mode, spec, shownSpec, root, config: configPath }: Options,
  libraries: Pick<Libraries, 'renderSchemaTypes' | 'lint'>,
  { say, complain }: Output,
  willRead?: (path: string) => void,
): Promise<boolean> {
  const files = new SpecFiles(spec, shownSpec, willRead);
  const text = files.read(spec);
  if (text === undefined) {
    complain(`${shownSpec} cannot be read.`);
    return false;
  }
  const config = configPath === undefined ? plainConfig : await readConfig(configPath);
  const linterConfig = join(dirname(spec), 'redocly.yaml');
  const rendering = await render(text, {
    config,
    files,
    runtime: await readRuntime(),
    renderSchemaTypes: libraries.renderSchemaTypes,
    lint: (document) => (existsSync(linterConfig) ? libraries.lint(document, linterConfig) : []),
  });
  if (!rendering.ok) {
    complainOf(rendering.findings, complain);
    return false;
  }

  const { files: generated, operationCount } = rendering.value;
  const drift = await findDrift(root, generatedFolders(config.layout), generated);
  const isCheck = mode === 'check';
  if (!isCheck) await writeFiles(root, generated, drift);
  for (const { kind, path } of drift) {
    if (isCheck) complain(`${kind} ${path}`);
    else say(`${verb(kind)} ${path}`);
  }

  const amount = `${operationCount} operations, ${generated.size} files`;
  if (isCheck && drift.length > 0) {
    complain(`${amount}, ${drift.length} out of date. Run \`npm run generate\`.`);
    return false;
  }
  say(`${amount}${drift.length === 0 ? ', all up to date' : `, ${drift.length} written`}.`);
  return true;
}

function complainOf(findings: readonly Finding[], complain: Output['complain']): void {
  for (const finding of findings) complain(formatFinding(finding));
  complain(
    `${findings.length === 1 ? '1 finding' : `${findings.length} findings`}, nothing generated.`,
  );
}

function verb(kind: Drift['kind']): string {
  return { changed: 'changed', missing: 'created', extra: 'removed' }[kind];
}
