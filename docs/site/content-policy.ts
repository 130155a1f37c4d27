import { createHash } from 'node:crypto';

/**
 * Returns a page with a content security policy that allows the inline scripts of the page, by their hashes, and
 * what `sources` names: nothing from another origin (L-04).
 *
 * @param sources the further sources of each directive, such as `"'self'"`
 */
export function withPolicy(page: string, sources: Readonly<Record<string, string>> = {}): string {
  const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)];
  const hashes = scripts.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const directives = {
    'default-src': "'none'",
    'script-src': [sources['script-src'], ...new Set(hashes)].filter(Boolean).join(' '),
    // Both Redoc and VitePress write styles at run time.
    'style-src': `'self' 'unsafe-inline'`,
    'img-src': "'self' data:",
    'font-src': 'data:',
    ...(sources['connect-src'] && { 'connect-src': sources['connect-src'] }),
    'base-uri': "'none'",
    'form-action': "'none'",
  };
  const policy = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`;
  return page.replace(/<meta charset="utf-8">/, (charset) => `${charset}\n    ${tag}`);
}
