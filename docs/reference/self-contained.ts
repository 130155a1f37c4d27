import { withPolicy } from '../site/content-policy.js';

/**
 * Makes the page that Redoc built load nothing from elsewhere (L-04), so that it works in any
 * folder of any static host, and offline: the script is that of the site, links stay in the page,
 * and the one external image is removed.
 *
 * @param script the path of the script, from the page
 */
export function selfContained(page: string, script: string): string {
  return withPolicy(withoutLogo(withLinksInPage(withOwnScript(page, script))), "'self'");
}

function withOwnScript(page: string, script: string): string {
  return page
    .replace(/<link rel="modulepreload"[^>]*>/, `<link rel="modulepreload" href="${script}" />`)
    .replace(/(import \{ hydrate \} from )"[^"]+"/, `$1"${script}"`);
}

/**
 * Redoc keeps its place in the fragment, but writes the menu before it knows that: as links to the
 * root of the host, which a new tab would follow.
 */
function withLinksInPage(page: string): string {
  const script = page.indexOf('<script type="module">');
  return page.slice(0, script).replaceAll('href="/', 'href="#/') + page.slice(script);
}

/** Redoc shows its logo from a content delivery network; the page shows its name instead. */
export function withoutLogo(text: string): string {
  const name =
    '<svg xmlns="http://www.w3.org/2000/svg" width="34" height="12"><text y="10" font-family="sans-serif" font-size="10.5" font-weight="600" fill="#4b83e8">Redoc</text></svg>';
  return text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(name)}`,
  );
}
