import { checkReferences } from './document/check-references.js';
import { checkStructure, checkVersion } from './document/check-structure.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import type { Path } from './document/json.js';
import { readDocument } from './document/read-document.js';
import type { Position, SpecDocument } from './document/spec-document.js';
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
 * Reads the text of `openapi.yaml`, and reports all mistakes at once: in references, in the structure,
 * and against the rules. Each check gets the document as if the mistakes before were mended.
 */
export async function loadSpec(text: string): Promise<Outcome<OpenApiObject>> {
  const outcome = readDocument(text);
  if (!outcome.ok) return outcome;
  const document = outcome.value;
  const version = checkVersion(document);
  if (version.length > 0) return refuse(version);

  const references = checkReferences(document);
  const connected = document.repaired(references.repairs);
  const structure = await checkStructure(connected);
  const mended = connected.repaired(structure.repairs);
  const unread = [...references.unread, ...structure.unread];
  const api = readOpenApi(mended, { isWhole: unread.length === 0 });
  const findings = [
    ...references.findings,
    ...structure.findings.filter((finding) => !isConsequence(finding, document, references.unread)),
    ...checkRules(api).filter((finding) => !isConsequence(finding, document, unread)),
  ];
  return findings.length > 0 ? refuse(findings) : { ok: true, value: api };
}

/** Returns true if a finding is in an unread element, or at an element that contains one. */
function isConsequence(finding: Finding, document: SpecDocument, unread: readonly Path[]): boolean {
  const isHere = ({ line, column }: Position) => line === finding.line && column === finding.column;
  return unread.some((path) => {
    const around = path.map((_part, length) => path.slice(0, length));
    return (
      document.holds(path, finding) ||
      around.some((each) => isHere(document.position(each)) || isHere(document.keyPosition(each)))
    );
  });
}

function refuse(findings: readonly Finding[]): Outcome<never> {
  return { ok: false, findings: inReadingOrder(findings) };
}
