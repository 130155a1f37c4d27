/** Longest name that is kept, in characters; longer ones keep their end, with its `.cod` or `.xml`. */
const longestName = 100;

/**
 * The name to upload a file under: its own, with what an object's key had better not have replaced,
 * after time and chance, so that no upload takes the place of another.
 */
export function objectName(fileName: string, now: Date, chance: Uint8Array): string {
  const own = (fileName.normalize('NFC').split(/[/\\]/).pop() ?? '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '');
  const kept = [...own].slice(-longestName).join('') || 'file';
  return `${now.toISOString().replace(/[-:.]/g, '')}-${hexOf(chance)}-${kept}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
