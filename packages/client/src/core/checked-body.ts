import type { OperationId } from '@adx/contract';
import type { Caller, CallOptions } from './call.js';

/**
 * Passes on the bytes of a download as they are asked for. It fails where they are not as many as
 * announced, and where none comes within the time limit of the call.
 */
export function checkedBody(
  caller: Caller,
  operation: OperationId,
  source: ReadableStream<Uint8Array> | null,
  size: number,
  options: CallOptions,
): ReadableStream<Uint8Array> {
  const reader = source?.getReader();
  let received = 0;

  /** Undefined at the end. */
  async function read(): Promise<Uint8Array | undefined> {
    try {
      return (await reader?.read())?.value;
    } catch (error) {
      throw new caller.errors.NetworkError(operation, 'the download broke off', { cause: error });
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await caller.within(operation, read, options);
          received += bytes?.byteLength ?? 0;
          if (bytes ? received > size : received !== size) {
            throw new caller.errors.NetworkError(operation, `${received} bytes arrived of ${size}`);
          }
          if (bytes) controller.enqueue(bytes);
          else controller.close();
        } catch (error) {
          controller.error(error);
          // Ends the connection; that it may have ended already is no news.
          await reader?.cancel(error).catch(() => {});
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    // Nothing is read ahead, so that nothing is under way that nobody waits for.
    { highWaterMark: 0 },
  );
}
