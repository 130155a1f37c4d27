/** Limits of reading. */
interface ReadingLimits {
  /** The maximum number of bytes. */
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Reads a stream to its end. If that fails, the stream is cancelled.
 *
 * @throws {RangeError} if it has more bytes than `limit`
 * @throws {TypeError} if it contains anything but bytes
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array>,
  { limit = Number.POSITIVE_INFINITY, signal }: ReadingLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  const abort = () => reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      if (!(value instanceof Uint8Array)) throw new TypeError('the stream does not hold bytes');
      parts.push(value);
      size += value.byteLength;
      if (size > limit) throw new RangeError(`the stream has more than ${limit} bytes`);
    }
  } catch (error) {
    // This is not awaited, because the stream may never react.
    reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}
