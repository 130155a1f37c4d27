import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Lint } from './lint.js';
import type { RenderSchemaTypes } from './schema-types.js';

/** The libraries that take long to load, which may have a thread of their own. */
export interface Libraries {
  readonly renderSchemaTypes: RenderSchemaTypes;
  readonly lint: Lint;
  readonly stop: () => Promise<unknown>;
}

/**
 * Starts a thread that renders schema types and lints, while this one reads, checks and emits the rest.
 *
 * @param entry the bundled `libraries-worker.ts`
 */
export function startLibrariesThread(entry: URL): Libraries {
  const worker = new Worker(entry);
  // An idle thread must not keep the process alive; one that is working must.
  worker.unref();
  let calls = 0;
  async function call(name: 'renderSchemaTypes' | 'lint', ...parameters: unknown[]) {
    const id = calls++;
    worker.ref();
    worker.postMessage({ id, name, parameters });
    for (;;) {
      const [answer] = await once(worker, 'message');
      if (answer.id !== id) continue;
      worker.unref();
      if (answer.error) throw answer.error;
      return answer.result;
    }
  }
  return {
    renderSchemaTypes: (document) => call('renderSchemaTypes', document),
    lint: (document, configPath) => call('lint', document, configPath),
    stop: () => worker.terminate(),
  };
}
