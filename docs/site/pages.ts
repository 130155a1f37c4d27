/** A page of the site whose text is a Markdown file of the repository. */
export interface Page {
  /** Its place in the site, without an extension. */
  readonly path: string;
  /** Its name in the menu. */
  readonly name: string;
  /** The Markdown file, relative to the repository. */
  readonly source: string;
  /** Other words by which readers search for it. */
  readonly names?: readonly string[];
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
export const home: Page = { path: 'index', name: 'Home', source: 'docs/pages/index.md' };

/** The page that lists the error codes. Each code has a page in its folder. */
const errorsPage: Page = {
  path: 'errors/index',
  name: 'Errors',
  source: 'docs/pages/errors.md',
  names: ['error codes', 'status codes'],
};

/** The menu of the pages for partners, in the order in which it is shown. */
export const sections: readonly Section[] = [
  {
    name: 'Start',
    pages: [
      guide('quick-start', 'Quick start', ['C#', '.NET', 'PHP', 'Python', 'Java', 'curl']),
      guide('signing-in', 'Signing in', [
        'sign in',
        'login',
        'authentication',
        'OAuth',
        'JWT',
        'bearer',
      ]),
      guide('going-live', 'Going live', ['API key', 'production', 'staging', 'access']),
    ],
  },
  {
    name: 'Guides',
    pages: [
      guide('customers', 'Customers'),
      guide('mandates', 'Mandates', ['mandate rejected', 'status of a mandate']),
      guide('files', 'Files and acknowledging', ['acknowledge', 'download', 'PDF']),
      guide('uploads', 'Uploading', ['S3', 'SigV4', 'AWS']),
      guide('missing-statements', 'Missing statements'),
      guide('limits', 'Limits', ['rate limit', 'throttling', 'quota']),
      guide('repeating', 'Repeating a call', [
        'idempotency',
        'Idempotency-Key',
        'retry',
        'Retry-After',
      ]),
      guide('versions', 'Versions and deprecation', ['deprecation', 'sunset', 'breaking change']),
      errorsPage,
      { path: 'findings/index', name: 'Findings', source: 'docs/pages/findings/index.md' },
      {
        path: 'findings/coda',
        name: 'Findings in CODA files',
        source: 'docs/pages/findings/coda.md',
      },
      {
        path: 'findings/codb',
        name: 'Findings in CODB files',
        source: 'docs/pages/findings/codb.md',
      },
    ],
  },
  {
    name: 'Tools',
    pages: [
      {
        path: 'tools/command-line',
        name: 'Command line',
        source: 'packages/cli/README.md',
        names: ['CLI', 'adx'],
      },
      {
        path: 'tools/client',
        name: 'Client',
        source: 'packages/client/README.md',
        names: ['SDK', 'types', 'TypeScript', 'JavaScript', 'Node.js'],
      },
      {
        path: 'tools/sandbox',
        name: 'Sandbox',
        source: 'packages/sandbox/README.md',
        names: ['mail folder', 'load test', 'Docker'],
      },
      { path: 'tools/statements', name: 'Reading files', source: 'packages/statements/README.md' },
      {
        path: 'tools/coda',
        name: 'CODA by example',
        source: 'docs/pages/coda.md',
        names: ['CODA'],
      },
      {
        path: 'tools/languages',
        name: 'Other languages',
        source: 'docs/pages/languages.md',
        names: ['openapi.yaml', 'Swagger', 'generator', 'OpenAPI 3.0'],
      },
    ],
  },
  {
    name: 'Interface',
    pages: [
      { path: 'interface/try', name: 'Try it', source: 'docs/pages/try.md' },
      { path: 'interface/journeys', name: 'Journeys', source: 'docs/pages/journeys.md' },
      { path: 'interface/changes', name: 'Changes', source: 'docs/pages/changes.md' },
    ],
  },
  {
    name: 'Help',
    pages: [
      {
        path: 'help/questions',
        name: 'Questions and answers',
        source: 'docs/pages/questions.md',
        names: ['FAQ'],
      },
      { path: 'help/glossary', name: 'Glossary', source: 'docs/pages/glossary.md' },
      {
        path: 'help/support',
        name: 'Support',
        source: 'docs/pages/support.md',
        names: ['request id', 'contact', 'help'],
      },
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
      { path: 'decisions/index', name: 'Decisions', source: 'docs/decisions/README.md' },
    ],
  },
];

function guide(name: string, title: string, names: readonly string[] = []): Page {
  return { path: `guide/${name}`, name: title, source: `docs/pages/guide/${name}.md`, names };
}

function operators(name: string, title: string, source: string): Page {
  return { path: `operators/${name}`, name: title, source };
}
