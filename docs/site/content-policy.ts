import { createHash } from 'node:crypto';

/**
 * Returns a page with a content security policy that allows nothing from another origin (L-04): the
 * inline scripts of the page, by their hashes, its styles, images of the same origin, and what is
 * in the page itself.
 *
 * @param own `'self'` in quotes if the page may also load scripts and styles of its own origin, and
 *   call it
 */
export function withPolicy(page: string, own: "'self'" | '' = ''): string {
  const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)];
  const hashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const directives = {
    'default-src': ["'none'"],
    'script-src': [own, ...new Set(hashes)],
    // Both Redoc and VitePress write styles at run time.
    'style-src': [own, "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ['data:'],
    'connect-src': [own || "'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  };
  const policy = Object.entries(directives).map(([name, sources]) =>
    [name, ...sources.filter((source) => source !== '')].join(' '),
  );
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`;
  return page.replace(/<meta charset="utf-8">/, (charset) => `${charset}\n    ${tag}`);
}
