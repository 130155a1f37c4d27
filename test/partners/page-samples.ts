import type { SampleLanguage } from './run-samples.js';

/** The output of the samples of a page, and what a shell checks after those of `sh`. */
interface PageSamples {
  /** The output of each program of a language, in the order of the page. */
  readonly prints: Readonly<Partial<Record<SampleLanguage, RegExp>>>;
  /** Fails unless the commands of the page had the effect that it describes. */
  readonly shellCheck?: string;
}

export const pageSamples: Readonly<Record<string, PageSamples>> = {
  'docs/pages/guide/customers.md': {
    prints: { TypeScript: /^[\da-f]{24}\nCODA \w+\n$/, Python: /^08\d\d(\.\d{3}){2}\nBE\d{14}\n$/ },
    shellCheck: `grep -q '"enterpriseNumber":"0812.345.801"' customer.json`,
  },
  'docs/pages/guide/mandates.md': {
    prints: { TypeScript: /^([\da-f]{24} .+ \w+ \S+\n)*[\da-f]{24} .+ finished \S+\n$/ },
    shellCheck: `grep -q '"status":"finished"' changes.json`,
  },
  'docs/pages/guide/missing-statements.md': {
    prints: { TypeScript: /^(BE\d{14} (gap|balanceBreak) \d{4}-\d\d-\d\d \d+\n)+$/ },
    shellCheck: `grep -q '"kind":"gap","fromNumber":[1-9].*,"afterNumber":[1-9].*,"beforeNumber":[1-9]' missing.json`,
  },
  'docs/pages/guide/quick-start.md': {
    prints: {},
    shellCheck: 'ls statements/*.cod',
  },
  'docs/pages/guide/repeating.md': { prints: { TypeScript: /^created\n$/ } },
  'docs/pages/guide/signing-in.md': {
    prints: { TypeScript: /^Hello world\./ },
    shellCheck: `curl --silent --show-error --fail "$ADX_URL/hello-world" \
      --header "x-api-key: $ADX_API_KEY" --header "authorization: Bearer $ID_TOKEN"`,
  },
};
