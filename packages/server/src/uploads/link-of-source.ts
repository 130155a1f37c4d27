/** A payroll provider, and the link that a customer has with it. */
export interface ProviderLink {
  readonly code: string;
  readonly names: readonly string[];
  /** Null where the customer has none. */
  readonly linkId: string | null;
}

/**
 * The links of a customer that a payroll file of this source belongs to. Providers write their names
 * as they like (`SD Worx`, `SD WORX vzw`): where a source names none that is known, it is that of a
 * customer with one link only.
 *
 * @param source - the provider as the file names it
 * @param providers - all that are known
 */
export function linksOfSource(source: string, providers: readonly ProviderLink[]): string[] {
  const written = plain(source);
  const named = providers.filter(({ code, names }) => {
    // `***other***` is not written by anyone.
    const isCode = plain(code) === code && written.includes(code);
    return isCode || (written.length > 3 && names.some((name) => plain(name).startsWith(written)));
  });
  if (named.length > 0) return linkIdsOf(named);
  const linkIds = linkIdsOf(providers);
  return linkIds.length === 1 ? linkIds : [];
}

function linkIdsOf(providers: readonly ProviderLink[]): string[] {
  return providers.flatMap(({ linkId }) => linkId ?? []);
}

/** Its letters and digits, in lower case and without accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
