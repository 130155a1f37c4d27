import { load, type PreparedRequest } from './load.js';
import type { ServerUnderLoad } from './server-under-load.js';

export interface MeasuredCalls {
  readonly count: number;
  readonly perSecond: number;
  /** The CPU time of its process for each call, in µs. */
  readonly cpuMicros: number;
}

/** Calls a server over eight connections for one and a half seconds, and measures it. */
export async function measureCalls(
  server: ServerUnderLoad,
  request: PreparedRequest,
): Promise<MeasuredCalls> {
  const before = await server.usage();
  const started = performance.now();
  const { length: count } = await load(server.port, request, { connections: 8, durationMs: 1_500 });
  const seconds = (performance.now() - started) / 1_000;
  const after = await server.usage();
  return {
    count,
    perSecond: count / seconds,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / count,
  };
}
