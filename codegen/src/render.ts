import { resolve } from 'node:path';
import type { Config } from './config.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import { type JsonObject, parsePointer } from './document/json.js';
import { readDocument } from './document/read-document.js';
import type { SpecDocument } from './document/spec-document.js';
import { SpecFiles } from './document/spec-files.js';
import { type EmitParts, emitFiles, type FileSet } from './emit/emit-files.js';
import type { LintMessage } from './libraries/lint.js';
import type { ApiModel } from './model/api-model.js';
import { buildApiModel } from './model/build-api-model.js';
import { checkDocument, withoutConsequences } from './openapi/check-document.js';
import { type OpenApiObject, readOpenApi } from './openapi/openapi-object.js';
import { allSchemas, undeclaredNames } from './openapi/schema-object.js';
import { checkRules } from './rules/check-rules.js';

interface Rendering {
  readonly files: FileSet;
  readonly model: ApiModel;
  readonly notes: readonly Finding[];
}

/** Renders all files: generate, check, watch and the tests use it. */
export async function render(
  text: string,
  { renderSchemaTypes, runtime, ...checks }: Checks & EmitParts,
): Promise<Outcome<Rendering>> {
  const spec = await loadSpec(text, checks);
  if (!spec.ok) return spec;

  const { config } = checks;
  const model = buildApiModel(spec.value, config);
  const files = await emitFiles(model, config.layout, { renderSchemaTypes, runtime });
  return { ok: true, value: { files, model, notes: spec.value.notes } };
}

interface Checks {
  readonly config: Config;
  /** The files; by default a spec in one file, `openapi.yaml`. */
  readonly files?: SpecFiles;
  /** Lints a document that is valid OpenAPI 3.1. */
  readonly lint?: (document: JsonObject) => LintMessage[] | Promise<LintMessage[]>;
}

/**
 * Loads a spec, and reports all mistakes at once, also those that the linter finds.
 *
 * @param files the files to which references lead; by default those in the working folder
 */
export async function loadSpec(
  text: string,
  {
    config,
    lint = () => [],
    files = new SpecFiles(resolve('openapi.yaml'), 'openapi.yaml'),
  }: Checks,
): Promise<Outcome<OpenApiObject>> {
  const outcome = readDocument(text, files.shown(files.spec));
  if (!outcome.ok) return outcome;
  const checked = await checkDocument(outcome.value, files);
  if (!checked.ok) return checked;

  const { findings: ofDocument, mended, unread, notes } = checked.value;
  const api = readOpenApi(mended, { isWhole: unread.length === 0, notes });
  const undeclared = allSchemas(api).flatMap(undeclaredNames);
  const linted = lint(
    mended.repaired(undeclared.map(({ path }) => ({ kind: 'remove', path }))).value,
  );
  const ours = [...ofDocument, ...withoutConsequences(checkRules(api, config.rules), unread)];
  const hasBadSchema = ours.some(({ rule }) => rule === 'schema');
  const theirs = (await linted)
    // A component may be used in a part that could not be read.
    .filter(({ rule }) => unread.length === 0 || rule !== 'no-unused-components')
    // The mended document gives each operation one, and takes those of webhooks away.
    .filter(({ rule }) => rule !== 'operation-operationId')
    // The linter cannot validate examples by a schema that is not valid, which is reported already.
    .filter(({ message }) => !hasBadSchema || !message.startsWith('Example validation errored'))
    .map((message) => toFinding(message, mended))
    // The linter has some of the same rules.
    .filter((finding) => !ours.some(({ offset }) => offset === finding.offset));
  const findings = [...ours, ...withoutConsequences(theirs, unread)];
  if (findings.length === 0) return { ok: true, value: api };
  return { ok: false, findings: inReadingOrder(findings) };
}

function toFinding({ rule, message, pointer, isAboutKey }: LintMessage, document: SpecDocument) {
  const path = parsePointer(pointer);
  const position = isAboutKey ? document.keyPosition(path) : document.position(path);
  return { ...position, rule, message };
}
