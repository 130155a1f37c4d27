import { createReadStream } from 'node:fs';
import { createServer, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.yaml': 'application/yaml',
};

/** Serves a folder as a static host does, with a content type by extension. */
export function folderUnder(path: string, folder: string): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    if (!pathname.startsWith(`${path}/`)) return response.writeHead(404).end();
    const name = normalize(
      decodeURIComponent(pathname.slice(path.length + 1)).replace(/(^|\/)$/, '$1index.html'),
    );
    createReadStream(join(folder, name))
      .on('error', () => response.writeHead(404).end())
      .once('open', () =>
        response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'text/plain' }),
      )
      .pipe(response);
    return response;
  };
}

/** Forwards as a proxy does that shows the service under a path. */
export function serviceUnder(path: string, origin: string): RequestListener {
  return ({ method, url = '/', headers }, response) => {
    if (!url.startsWith(`${path}/`)) return response.writeHead(404).end();
    const { req: incoming } = response;
    const forwarded = send(origin + url.slice(path.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return incoming.pipe(forwarded);
  };
}

export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
