import type { OperationId } from '@adx/contract';
import type { ByteStream, Caller, CallOptions } from '../call.js';

/**
 * Returns a stream of the bytes of a download. It fails if their number differs from `size`, and if
 * no bytes arrive within the timeout of the call.
 */
export function checkedBody(
  caller: Caller,
  operation: OperationId,
  url: string,
  source: ByteStream | null,
  size: number,
  options: CallOptions,
): ReadableStream<Uint8Array> {
  const { host } = new URL(url);
  const reader = source?.getReader();
  let received = 0;

  /** Returns undefined at the end. */
  async function read(): Promise<Uint8Array | undefined> {
    try {
      return (await reader?.read())?.value;
    } catch (error) {
      throw caller.networkErrorOf(operation, url, 'the download was interrupted', error);
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await caller.within(operation, read, { ...options, host });
          received += bytes?.byteLength ?? 0;
          if (bytes ? received > size : received !== size) {
            throw caller.networkErrorOf(operation, url, `${received} of ${size} bytes arrived`);
          }
          if (bytes) controller.enqueue(bytes);
          else controller.close();
        } catch (error) {
          controller.error(error);
          // Closes the connection, which may be closed already.
          await reader?.cancel(error).catch(() => {});
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    // It does not read ahead, since nobody would wait for those bytes or see their failure.
    { highWaterMark: 0 },
  );
}
