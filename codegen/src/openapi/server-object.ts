import type { SpecNode } from '../document/spec-document.js';

/** The URL of the first server (Server Object, OpenAPI 3.1 §4.8.5), its variables at their defaults. */
export function readBaseUrl(root: SpecNode): string {
  const server = root.get('servers')?.items[0];
  const template = server?.get('url')?.text ?? '';
  const url = template.replaceAll(
    /\{([^{}]*)\}/g,
    (whole, name: string) => server?.at('variables', name, 'default')?.text ?? whole,
  );
  return url.replace(/\/$/, '');
}
