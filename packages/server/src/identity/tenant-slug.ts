/** Long enough to recognise the firm, short enough for a path. */
const MAX_NAME_LENGTH = 40;

/**
 * The tenant of a firm: its name in `[a-z0-9-]` and the end of its id, as in `kantoor-maes-4f7a6c`.
 *
 * Two firms of the same name differ by the id. Without a slash in it no tenant's folder lies inside
 * another's, so credentials for `uploads/<tenant>/` never reach a second firm (D-19).
 */
export function tenantSlug(name: string, firmId: string): string {
  const readable = slugOf(name).slice(0, MAX_NAME_LENGTH).replace(/-$/, '');
  return `${readable || 'firm'}-${firmId.slice(-6)}`;
}

/** A text in `[a-z0-9-]`, accents dropped; empty when nothing of it is left. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[œæß]/g, (letter) => ligatures[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Letters of Belgium's languages that Unicode does not decompose. */
const ligatures: Record<string, string> = { œ: 'oe', æ: 'ae', ß: 'ss' };
