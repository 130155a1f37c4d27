/** The encodings by their byte order marks. */
const encodings: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/**
 * Decodes UTF-8, or UTF-16 with its byte order mark, in which Windows PowerShell and "Unicode text"
 * of spreadsheets are. Leaves the mark out.
 *
 * @returns undefined if it is neither
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  try {
    return new TextDecoder(encodings[mark] ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
