import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RenderSchemaTypes } from './schema-types.js';

/** A thread that renders schema types while this one reads, checks and emits the rest. */
export interface SchemaTypesThread {
  readonly render: RenderSchemaTypes;
  readonly stop: () => Promise<unknown>;
}

/** @param entry the bundled `schema-types-worker.ts` */
export function startSchemaTypesThread(entry: URL): SchemaTypesThread {
  const worker = new Worker(entry);
  // Waiting for nothing is no reason to keep the process alive; waiting for an answer is.
  worker.unref();
  return {
    async render(document) {
      worker.ref();
      worker.postMessage(document);
      const [{ text, error }] = await once(worker, 'message');
      worker.unref();
      if (error) throw error;
      return text;
    },
    stop: () => worker.terminate(),
  };
}
