import type { Finding } from './document/finding.js';
import type { RenderSchemaTypes } from './emit/contract/schema.js';
import { emitFiles } from './emit/emit-files.js';
import { createEmitters } from './emit/registry.js';
import { loadSpecification } from './load-specification.js';
import { buildApiModel } from './model/build-api-model.js';
import type { FileSet } from './output/file-set.js';

/** What a specification generates, or why it generates nothing. */
export type Rendering =
  | {
      readonly ok: true;
      readonly files: FileSet;
      /** The folders that hold generated files, and no other `*.gen.ts` than these. */
      readonly folders: readonly string[];
      readonly operationCount: number;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** The text of `openapi.yaml` to every generated file. Generate, check, watch and tests all use it. */
export async function render(
  text: string,
  renderSchemaTypes: RenderSchemaTypes,
): Promise<Rendering> {
  const specification = await loadSpecification(text);
  if (!specification.ok) return specification;

  const model = buildApiModel(specification.value);
  const emitters = createEmitters(renderSchemaTypes);
  return {
    ok: true,
    files: await emitFiles(model, emitters),
    folders: emitters.map(({ folder }) => folder),
    operationCount: model.operations.length,
  };
}
