import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { spec, specYaml } from '@adx/contract/spec';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import { basePath } from './validation/operation-validator.js';

/**
 * Serves the documentation at `/docs/`, and the spec at `/openapi.yaml` and `/openapi.json`, also
 * to web pages of other origins.
 *
 * @param options.publicUrl - the URL of this deployment, which is the first server of the spec
 */
export function createDocsRouter({
  docsDir,
  publicUrl,
}: {
  docsDir: string;
  publicUrl: string;
}): Router {
  const server = { url: `${publicUrl}${basePath}`, description: 'This deployment.' };
  const json = { ...spec, servers: [server, ...spec.servers] };
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/openapi.yaml', sendText('application/yaml', withServer(specYaml, server)));
  router.get('/openapi.json', sendText('application/json', JSON.stringify(json, null, 2)));
  router.get('/', (_request, response) => response.redirect(302, 'docs/'));
  // A relative redirect also works behind a proxy that serves this service under a path.
  router.get('/docs', (_request, response) => response.redirect(301, 'docs/'));
  router.use(
    '/docs/',
    restrict,
    compressed(docsDir),
    express.static(docsDir, {
      redirect: false,
      acceptRanges: false,
      setHeaders: setCaching(docsDir),
    }),
    notFound(docsDir),
    refused,
  );
  return router;
}

/** Adds a server before the others, and keeps the rest of the text with its comments. */
function withServer(yaml: string, { url, description }: { url: string; description: string }) {
  return yaml.replace(
    /^servers:\n( *)- /m,
    (found, indent: string) =>
      `servers:\n${indent}- url: ${JSON.stringify(url)}\n${indent}  description: ${description}\n${found.slice('servers:\n'.length)}`,
  );
}

const revalidate = (response: { setHeader(name: string, value: string): unknown }) =>
  response.setHeader('Cache-Control', 'no-cache');

/** Sets how long browsers keep a file: a year for `assets`, whose names change with content. */
const setCaching =
  (docsDir: string) => (response: Parameters<typeof revalidate>[0], path: string) => {
    if (!relative(docsDir, path).startsWith(`assets${sep}`)) return revalidate(response);
    return response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  };

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** The encodings of compressed answers, the smallest first, with the extension of the copies. */
const encodings = { br: '.br', gzip: '.gz' } as const;

/** Returns the encoding in which an answer is sent, by the `Accept-Encoding` of the caller. */
function encodingFor(request: Request): keyof typeof encodings | 'identity' {
  return (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each)) ?? 'identity';
}

/** Leads a request to the compressed copy of a file, which the build has written beside it. */
const compressed =
  (docsDir: string): RequestHandler =>
  (request, response, next) => {
    response.vary('Accept-Encoding');
    const encoding = isRead(request) ? encodingFor(request) : 'identity';
    if (encoding === 'identity') return next();
    const path = request.path.replace(/\/$/, '/index.html');
    const copy = path + encodings[encoding];
    // Files of the site have names that are the same when decoded.
    if (!existsSync(join(docsDir, copy))) return next();
    request.url = copy;
    response.type(extname(path)).set('Content-Encoding', encoding);
    return next();
  };

function sendText(type: string, text: string): RequestHandler {
  // At a higher quality, the service would start half a second later.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  const bodies = {
    br: brotliCompressSync(text, quality),
    gzip: gzipSync(text),
    identity: Buffer.from(text),
  };
  return (request, response) => {
    const encoding = encodingFor(request);
    const body = bodies[encoding];
    revalidate(response);
    response.vary('Accept-Encoding');
    response.set({
      'Content-Type': `${type}; charset=utf-8`,
      ETag: `"${hash('sha256', body, 'base64url')}"`,
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
    });
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(body);
  };
}

/** Forbids resources from elsewhere. Each page has a stricter policy, with hashes of scripts. */
const restrict: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy':
      "default-src 'self' 'unsafe-inline' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  next();
};

const notFound =
  (docsDir: string): RequestHandler =>
  (request, response, next) => {
    if (!isRead(request)) return next();
    revalidate(response);
    response.removeHeader('Content-Encoding');
    response.status(404).type('html');
    if (!existsSync(join(docsDir, '404.html'))) return response.send(page(notBuilt));
    return response.sendFile('404.html', { root: docsDir, cacheControl: false });
  };

/** Responds where `express.static` refuses a file, for example because `If-Match` failed. */
const refused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  response.removeHeader('Content-Encoding');
  if (!(status < 500)) return next(error);
  response.status(status).type('html').send(page('The page is not served under these conditions.'));
};

const notBuilt =
  'The documentation is not built yet: run <code>npm run docs</code>, then reload this page.';

const page = (text: string) => `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Accounting Data Exchange</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">
<h1>Accounting Data Exchange</h1>
<p>${text}</p>
`;
