/** Longest file name that every file system takes, less its mark. */
const longestName = 200;

/** Marks of names, so that no object's file is taken for a folder of others. */
const marks = { folder: 'd-', longerFolder: 'c-', object: 'o-' };

/**
 * The path of an object below its bucket's folder. Segments of the key are folders; capitals and
 * whatever is not a letter of ASCII are escaped, as file systems may take `A` for `a`; names that
 * are too long go on one folder deeper.
 */
export function pathOfKey(key: string): string[] {
  const segments = key.split('/').map(escapeSegment);
  return segments.flatMap((segment, i) => {
    const parts = segment.match(new RegExp(`.{1,${longestName}}`, 'g')) ?? [''];
    const last = parts.length - 1;
    const end = i === segments.length - 1 ? marks.object : marks.folder;
    return parts.map((part, j) => (j === last ? end : marks.longerFolder) + part);
  });
}

/** What a file system's entry adds to the key of what lies below it; undefined for a foreign one. */
export function keyOfName(name: string, isFolder: boolean): string | undefined {
  const mark = name.slice(0, 2);
  const rest = name.slice(2);
  if (!isFolder) return mark === marks.object ? rest : undefined;
  if (mark === marks.folder) return `${rest}/`;
  return mark === marks.longerFolder ? rest : undefined;
}

/** The key whose escaped form was put together from the names of a path. */
export function unescapeKey(escaped: string): string {
  return decodeURIComponent(escaped);
}

function escapeSegment(segment: string): string {
  return segment.replace(/[^a-z0-9._-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
