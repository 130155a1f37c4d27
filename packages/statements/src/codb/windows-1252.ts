import { codePages } from '../code-pages.js';

/**
 * Decodes windows-1252, which every byte sequence is. `TextDecoder` is not used for it: in several
 * releases of Node 20 and 22 it decodes ISO-8859-1 under this name, and loses the euro sign.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  // Beyond 9F the code page is that of ISO-8859-1.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (control) =>
      codePages['windows-1252'].charAt(control.charCodeAt(0) - 0x80),
    );
}
