const HEADER = /^(?:\xEF\xBB\xBF)?0{5}\d{9}05[ D] {7}/;

/**
 * Whether bytes are the start of a CODA file, by the fixed positions of its header (record 0, 1-24).
 *
 * @param firstBytes at least 27 bytes; more are not looked at
 * @example looksLikeCoda(file.subarray(0, 27))
 */
export function looksLikeCoda(firstBytes: Uint8Array): boolean {
  return HEADER.test(String.fromCharCode(...firstBytes.subarray(0, 27)));
}
