import { resolve } from 'node:path';
import type { Config } from './config.js';
import { checkReferences } from './document/check-references.js';
import { checkStructure, checkVersion } from './document/check-structure.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import { joinFiles } from './document/join-files.js';
import { type JsonObject, parsePointer } from './document/json.js';
import { readDocument } from './document/read-document.js';
import type { Extent, SpecDocument } from './document/spec-document.js';
import { SpecFiles } from './document/spec-files.js';
import { type EmitParts, emitFiles, type FileSet } from './emit/emit-files.js';
import type { LintMessage } from './libraries/lint.js';
import { buildApiModel } from './model/build-api-model.js';
import { type OpenApiObject, readOpenApi } from './openapi/openapi-object.js';
import { allSchemas, undeclaredNames } from './openapi/schema-object.js';
import { checkRules } from './rules/check-rules.js';

/** The files that a spec generates. */
export interface Rendering {
  readonly files: FileSet;
  readonly operationCount: number;
}

/**
 * Renders every generated file from the text of `openapi.yaml`. Generate, check, watch and the
 * tests all use it.
 */
export async function render(
  text: string,
  { renderSchemaTypes, runtime, ...checks }: Checks & EmitParts,
): Promise<Outcome<Rendering>> {
  const spec = await loadSpec(text, checks);
  if (!spec.ok) return spec;

  const { config } = checks;
  const model = buildApiModel(spec.value, config);
  const files = await emitFiles(model, config.layout, { renderSchemaTypes, runtime });
  return { ok: true, value: { files, operationCount: model.operations.length } };
}

/** What a spec is checked against, beyond OpenAPI 3.1. */
interface Checks {
  readonly config: Config;
  /** By default a spec in one file, `openapi.yaml`. */
  readonly files?: SpecFiles;
  /** Lints a document that is valid OpenAPI 3.1. */
  readonly lint?: (document: JsonObject) => LintMessage[] | Promise<LintMessage[]>;
}

/**
 * Reads the text of `openapi.yaml`, and reports all mistakes at once: in references, in the structure,
 * against the rules, and those that the linter finds. Each check gets the document as if the mistakes
 * before were mended.
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
  const document = outcome.value;
  const version = checkVersion(document);
  if (version.length > 0) return refuse(version);

  const joined = joinFiles(document, files);
  const references = checkReferences(joined.mended);
  const structure = await checkStructure(references.mended);
  const { mended } = structure;
  const unreferenced = [...joined.unread, ...references.unread];
  const unread = [...unreferenced, ...structure.unread];
  const api = readOpenApi(mended, { isWhole: unread.length === 0 });
  const undeclared = allSchemas(api).flatMap(undeclaredNames);
  const linted = lint(
    mended.repaired(undeclared.map(({ path }) => ({ kind: 'remove', path }))).value,
  );
  const ours = [
    ...joined.findings,
    ...references.findings,
    ...structure.findings.filter((finding) => !isConsequence(finding, unreferenced)),
    ...checkRules(api, config).filter((finding) => !isConsequence(finding, unread)),
  ];
  const theirs = (await linted)
    .map((message) => toFinding(message, mended))
    // The linter has some of the same rules.
    .filter((finding) => !ours.some(({ offset }) => offset === finding.offset))
    .filter((finding) => !isConsequence(finding, unread));
  const findings = [...ours, ...theirs];
  return findings.length > 0 ? refuse(findings) : { ok: true, value: api };
}

function toFinding({ rule, message, pointer, isAboutKey }: LintMessage, document: SpecDocument) {
  const path = parsePointer(pointer);
  const position = isAboutKey ? document.keyPosition(path) : document.position(path);
  return { ...position, rule, message };
}

/** Returns true if a finding is in an unread element, or at an element that contains one. */
function isConsequence({ offset }: Finding, unread: readonly Extent[]): boolean {
  return unread.some(
    ({ ranges, around }) =>
      ranges.some(({ start, end }) => start <= offset && offset < end) || around.includes(offset),
  );
}

function refuse(findings: readonly Finding[]): Outcome<never> {
  return { ok: false, findings: inReadingOrder(findings) };
}
