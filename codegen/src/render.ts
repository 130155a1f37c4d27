import { checkReferences } from './document/check-references.js';
import { checkStructure } from './document/check-structure.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import { readDocument } from './document/read-document.js';
import type { RenderSchemaTypes } from './emit/contract/schema-types.js';
import { emitFiles, type FileSet } from './emit/emit-files.js';
import { buildApiModel } from './model/build-api-model.js';
import { type OpenApiObject, readOpenApi } from './openapi/openapi-object.js';
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
  renderSchemaTypes: RenderSchemaTypes,
): Promise<Outcome<Rendering>> {
  const spec = await loadSpec(text);
  if (!spec.ok) return spec;

  const model = buildApiModel(spec.value);
  const files = await emitFiles(model, renderSchemaTypes);
  return { ok: true, value: { files, operationCount: model.operations.length } };
}

/**
 * Reads and checks the text of `openapi.yaml`. Each stage reports everything it finds. A stage runs
 * only when the stages before it found nothing, because its own findings would make no sense then.
 */
export async function loadSpec(text: string): Promise<Outcome<OpenApiObject>> {
  const document = readDocument(text);
  if (!document.ok) return document;

  const references = checkReferences(document.value);
  if (references.length > 0) return refuse(references);

  const structure = await checkStructure(document.value);
  if (structure.length > 0) return refuse(structure);

  const api = readOpenApi(document.value);
  const findings = checkRules(api);
  return findings.length > 0 ? refuse(findings) : { ok: true, value: api };
}

function refuse(findings: readonly Finding[]): Outcome<never> {
  return { ok: false, findings: inReadingOrder(findings) };
}
