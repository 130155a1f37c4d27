/** @throws {TypeError} if a value is not bytes; the message names the function that takes them */
export function requireBytes(value: unknown, name: string): asserts value is Uint8Array {
  if (value instanceof Uint8Array) return;
  const kind = value === null ? 'null' : typeof value;
  const hint = kind === 'string' ? '; read the file without an encoding' : '';
  throw new TypeError(`${name} takes bytes (Uint8Array), but got ${kind}${hint}`);
}
