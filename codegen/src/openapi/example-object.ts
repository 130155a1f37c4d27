import type { SpecNode } from '../document/spec-document.js';

/** Example Object, OpenAPI 3.1 §4.8.19. */
export interface ExampleObject {
  /** The name under `examples`; empty for the single `example`. */
  readonly name: string;
  /** The entry under `examples` or the `example` itself. */
  readonly use: SpecNode;
  readonly value: SpecNode | undefined;
}

/** `examples`, or the single `example`, of a media type or parameter. */
export function readExamples(holder: SpecNode): ExampleObject[] {
  const example = holder.get('example');
  return [
    ...(example ? [{ name: '', use: example, value: example }] : []),
    ...(holder.get('examples')?.members ?? []).map((use) => ({
      name: use.key,
      use,
      value: use.follow().get('value'),
    })),
  ];
}
