/**
 * Decodes UTF-8, or UTF-16 with its byte order mark, in which Windows PowerShell and "Unicode text" of
 * spreadsheets are. Leaves the mark out.
 *
 * @returns undefined if it is neither
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
