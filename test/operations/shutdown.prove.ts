import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ServiceProcess, useDeployment } from './support/deployment.js';

const deployment = useDeployment();

function connectAndStop({ url }: ServiceProcess, bytes: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.pause();
  socket.on('error', () => {});
  return new Promise<typeof socket>((resolve) => socket.once('connect', () => resolve(socket)));
}

describe('operations: stopping while callers neither send nor read', () => {
  it.each([
    ['before a request', ''],
    ['within the headers', 'GET /v1/hello-world HTTP/1.1\r\nHost: x\r\n'],
    ['within a body', 'POST /v1/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
    ['while reading the docs', 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)],
  ])('%s: the service exits with 0', async (_, bytes) => {
    const process = await deployment.start();
    const socket = await connectAndStop(process, bytes);
    expect((await fetch(`${process.url}/healthz`)).status).toBe(200);
    process.kill('SIGTERM');
    expect(await process.exited).toEqual({ code: 0, signal: null });
    socket.destroy();
  });
});
