// Ours, because the libraries for it refuse single characters, and a name of another kind passes them.

/** The longest name, in UTF-8 bytes; file systems allow 255, and some cloud drives much less per path. */
const longest = 100;

/** The names of devices on Windows, also with an extension. */
const device = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

/**
 * Returns a name that is one part of a path on each operating system. The names come from the service, and must
 * not lead out of the folder: only letters, digits, spaces and some marks stay, the rest becomes `_`.
 *
 * @param fallback the name to use if nothing is left
 */
export function safeName(text: string, fallback: string): string {
  const kept = text.normalize('NFC').replaceAll(/[^\p{L}\p{N}\p{M} ._()+&,'-]/gu, '_');
  const [, stem = '', extension = ''] = /^(.*?)(\.[a-z\d]{1,8})?$/iu.exec(kept) ?? [];
  const short = shorten(stem, longest - extension.length) + extension;
  // Windows removes closing dots and spaces, and a name that begins with a dot is hidden.
  const name = short.replace(/^[. ]+/, '').replace(/[. ]+$/, '');
  if (name === '') return fallback;
  return device.test(name) ? `_${name}` : name;
}

/** Returns the first characters of a text, up to this many bytes. */
function shorten(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join('');
  return short;
}
