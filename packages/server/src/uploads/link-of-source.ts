/** A payroll provider, and the customer's link to it. */
export interface ProviderLink {
  readonly code: string;
  readonly names: readonly string[];
  /** Null where the customer has none. */
  readonly linkId: string | null;
}

/**
 * The link of a customer that a payroll file of this source belongs to. Providers vary how they
 * write their names (`SD Worx`, `SD WORX vzw`). Where the source names no known provider, the file
 * belongs to the customer's only link; it belongs to none where several are possible.
 *
 * @param source - the provider as the file writes it
 * @param providers - all known providers
 */
export function linkOfSource(
  source: string,
  providers: readonly ProviderLink[],
): string | undefined {
  const written = plain(source);
  const named = providers.filter(({ code, names }) => {
    // Skips `***other***`, which no file writes.
    const isCode = plain(code) === code && written.includes(code);
    return isCode || (written.length > 3 && names.some((name) => plain(name).startsWith(written)));
  });
  const candidates = named.length > 0 ? named : providers;
  const linkIds = candidates.flatMap(({ linkId }) => linkId ?? []);
  return linkIds.length === 1 ? linkIds[0] : undefined;
}

/** Its letters and digits, in lower case and without accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
