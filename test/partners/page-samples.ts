/** What the samples of a page print, and what a shell checks after those of `sh`. */
interface PageSamples {
  /** What each program of a language prints, in the order of the page. */
  readonly prints: Readonly<Partial<Record<'ts' | 'python' | 'php', RegExp>>>;
  /** A shell command that fails unless the commands of the page had the effect that the page describes. */
  readonly shellCheck?: string;
}

const statements = /^(\S+\.cod\n)+$/;

/** The pages with samples, by their path. */
export const pageSamples: Readonly<Record<string, PageSamples>> = {
  'docs/pages/guide/customers.md': { prints: { ts: /^[\da-f]{24}\n$/ } },
  'docs/pages/guide/files.md': { prints: { ts: /^(\S+\.xml\n)+$/ } },
  'docs/pages/languages.md': { prints: { php: statements } },
  'docs/pages/guide/mandates.md': {
    prints: { ts: /^([\da-f]{24} COD[AB] \w+ \S+\n)*[\da-f]{24} COD[AB] finished \S+\n$/ },
  },
  'docs/pages/guide/missing-statements.md': {
    prints: { ts: /^(BE\d{14} (gap|balanceBreak)\n)+$/ },
  },
  'docs/pages/guide/quick-start.md': {
    prints: { ts: statements, python: statements },
    shellCheck: 'head -c 5 statement.cod | grep -q 00000 && ls statements/*.cod',
  },
  'docs/pages/guide/repeating.md': { prints: { ts: /^created\n$/ } },
  'docs/pages/guide/signing-in.md': {
    prints: { ts: /^Hello world\./ },
    shellCheck: `curl --silent --show-error --fail "$ADX_URL/hello-world" \
      --header "x-api-key: $ADX_API_KEY" --header "authorization: Bearer $ID_TOKEN"`,
  },
  'docs/pages/guide/uploads.md': { prints: { ts: /^rejected 0\nerror \w+ .+\n/ } },
};
