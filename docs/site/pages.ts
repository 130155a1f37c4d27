/** A page of the site whose text is a Markdown file of the repository. */
export interface Page {
  /** Its place in the site, without an extension. */
  readonly path: string;
  /** Its name in the menu. */
  readonly name: string;
  /** The Markdown file, relative to the repository. */
  readonly source: string;
  /** Other words by which readers search for it. */
  readonly names: readonly string[];
}

/** A part of the menu. */
export interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

/** The links in the header of every page, the reference included: paths without an extension. */
export const navigation: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'Quick start', path: 'guide/quick-start' },
  { name: 'Reference', path: 'reference/index' },
  { name: 'Errors', path: 'errors/index' },
  { name: 'Try it', path: 'interface/try' },
  { name: 'Help', path: 'help/questions' },
  { name: 'For operators', path: 'operators/production' },
];

/** The home page. */
export const home = page('index', 'Home', 'docs/pages/index.md');

/** The menu of the pages for partners, in the order in which it is shown. */
export const sections: readonly Section[] = [
  {
    name: 'Start',
    pages: [
      guide('quick-start', 'Quick start', 'C#, .NET, PHP, Python, Java, curl, settings'),
      guide(
        'signing-in',
        'Signing in',
        'sign in, login, authentication, OAuth, JWT, bearer, wachtwoord, mot de passe',
      ),
      guide('going-live', 'Going live', 'API key, key, production, staging, access'),
    ],
  },
  {
    name: 'Guides',
    pages: [
      guide('customers', 'Customers'),
      guide('mandates', 'Mandates', 'mandate rejected, status of a mandate'),
      guide(
        'files',
        'Files and acknowledging',
        'acknowledge, download, PDF, polling, new files, payroll',
      ),
      guide('uploads', 'Uploading', 'S3, SigV4, AWS'),
      guide('missing-statements', 'Missing statements', 'missing files'),
      guide('limits', 'Limits', 'rate limit, throttling, quota, how often'),
      guide('repeating', 'Repeating a call', 'idempotency, Idempotency-Key, retry, Retry-After'),
      guide('versions', 'Versions and deprecation', 'deprecation, sunset, breaking change'),
      // Each error code has a page in its folder.
      page('errors/index', 'Errors', 'docs/pages/errors.md', 'error codes, status codes'),
      page('findings/index', 'Findings', 'docs/pages/findings/index.md'),
      page('findings/coda', 'Findings in CODA files', 'docs/pages/findings/coda.md'),
      page('findings/codb', 'Findings in CODB files', 'docs/pages/findings/codb.md'),
    ],
  },
  {
    name: 'Tools',
    pages: [
      page('tools/command-line', 'Command line', 'packages/cli/README.md', 'CLI, adx, configure'),
      page(
        'tools/client',
        'Client',
        'packages/client/README.md',
        'SDK, types, TypeScript, JavaScript, Node.js',
      ),
      page(
        'tools/sandbox',
        'Sandbox',
        'packages/sandbox/README.md',
        'mail folder, load test, Docker',
      ),
      page('tools/statements', 'Reading files', 'packages/statements/README.md'),
      page('tools/coda', 'CODA by example', 'docs/pages/coda.md', 'CODA'),
      page(
        'tools/languages',
        'Other languages',
        'docs/pages/languages.md',
        'openapi.yaml, Swagger, generator, OpenAPI 3.0',
      ),
    ],
  },
  {
    name: 'Interface',
    pages: [
      page('interface/try', 'Try it', 'docs/pages/try.md'),
      page('interface/journeys', 'Journeys', 'docs/pages/journeys.md'),
      page('interface/changes', 'Changes', 'docs/pages/changes.md'),
    ],
  },
  {
    name: 'Help',
    pages: [
      page('help/questions', 'Questions and answers', 'docs/pages/questions.md', 'FAQ'),
      page('help/glossary', 'Glossary', 'docs/pages/glossary.md'),
      page('help/support', 'Support', 'docs/pages/support.md', 'request id, contact, help'),
    ],
  },
];

/** The menu of the pages for those who run the service or judge it, which partners do not see. */
export const operatorSections: readonly Section[] = [
  {
    name: 'For operators',
    pages: [
      operators('production', 'Production', 'docs/guides/running-in-production.md'),
      operators('backup', 'Backup', 'docs/guides/backup.md'),
      operators('partitions', 'Partitions', 'docs/guides/partitions.md'),
      operators('cluster', 'Several servers', 'docs/guides/cluster.md'),
      operators('commands', 'Commands', 'docs/guides/operator-commands.md'),
      operators('observing', 'Observing', 'docs/guides/observing.md'),
      operators('personal-data', 'Personal data', 'docs/guides/personal-data.md'),
      operators('documentation', 'This site', 'docs/guides/publishing-the-docs.md'),
    ],
  },
  {
    name: 'How good it is',
    pages: [
      operators('security', 'Security', 'docs/security.md'),
      operators('proofs', 'Proofs', 'docs/proofs.md'),
      operators('benchmarks', 'Benchmarks', 'docs/benchmarks.md'),
      operators('capacity', 'Capacity', 'docs/capacity.md'),
      page('decisions/index', 'Decisions', 'docs/decisions/README.md'),
    ],
  },
];

/** @param names the other words for the page, separated by commas */
export function page(path: string, name: string, source: string, names = ''): Page {
  return { path, name, source, names: names === '' ? [] : names.split(', ') };
}

function guide(name: string, title: string, names = ''): Page {
  return page(`guide/${name}`, title, `docs/pages/guide/${name}.md`, names);
}

function operators(name: string, title: string, source: string): Page {
  return page(`operators/${name}`, title, source);
}
