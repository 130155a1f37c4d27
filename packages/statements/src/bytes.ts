// Node's buffers are several times as fast as what browsers have, which the reader uses there.
const hasBuffer = typeof Buffer !== 'undefined';
const { isAscii: isAsciiInNode, isUtf8: isUtf8InNode } =
  globalThis.process?.getBuiltinModule?.('node:buffer') ?? {};
/** The most characters that are made by one call. */
const PIECE = 8192;

/** Returns a view of bytes, in Node with the faster methods of a Buffer. */
export function viewOf(bytes: Uint8Array): Uint8Array {
  if (!hasBuffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns memory whose content is not defined. */
export function newBytes(length: number): Uint8Array {
  return hasBuffer ? Buffer.allocUnsafeSlow(length) : new Uint8Array(length);
}

/** Returns a text with one character for each byte. */
export function latin1Of(bytes: Uint8Array, from = 0, to = bytes.length): string {
  if (hasBuffer) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'latin1',
      from,
      to,
    );
  }
  let text = '';
  for (let start = from; start < to; start += PIECE) {
    text += String.fromCharCode(...bytes.subarray(start, Math.min(start + PIECE, to)));
  }
  return text;
}

/** Returns the bytes of a text, whose characters are all below 256. */
export function bytesOfLatin1(text: string): Uint8Array {
  if (hasBuffer) return Buffer.from(text, 'latin1');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Decodes UTF-8, with a byte order mark as a character. */
export function utf8Of(bytes: Uint8Array): string {
  if (hasBuffer) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function isAscii(bytes: Uint8Array): boolean {
  return isAsciiInNode?.(bytes) ?? bytes.every((byte) => byte < 0x80);
}

export function isUtf8(bytes: Uint8Array): boolean {
  if (isUtf8InNode !== undefined) return isUtf8InNode(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
