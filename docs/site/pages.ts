/** A page of the site whose text is a Markdown file of the repository. */
export interface Page {
  /** Its place in the site, without an extension. */
  readonly path: string;
  /** Its name in the menu. */
  readonly name: string;
  /** The Markdown file, relative to the repository. */
  readonly source: string;
}

/** A part of the menu. */
export interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

/** The home page. */
export const home: Page = { path: 'index', name: 'Home', source: 'docs/pages/index.md' };

/** The page that lists the error codes. Each code has a page in its folder. */
const errorsPage: Page = {
  path: 'errors/index',
  name: 'Errors',
  source: 'docs/pages/errors.md',
};

/** The menu, in the order in which it is shown. */
export const sections: readonly Section[] = [
  {
    name: 'Start',
    pages: [
      guide('quick-start', 'Quick start'),
      guide('signing-in', 'Signing in'),
      guide('going-live', 'Going live'),
    ],
  },
  {
    name: 'Guides',
    pages: [
      guide('customers', 'Customers'),
      guide('mandates', 'Mandates'),
      guide('files', 'Files and acknowledging'),
      guide('uploads', 'Uploading'),
      guide('missing-statements', 'Missing statements'),
      guide('limits', 'Limits'),
      guide('repeating', 'Repeating a call'),
      guide('versions', 'Versions and deprecation'),
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
      { path: 'tools/command-line', name: 'Command line', source: 'packages/cli/README.md' },
      { path: 'tools/client', name: 'Client', source: 'packages/client/README.md' },
      { path: 'tools/sandbox', name: 'Sandbox', source: 'packages/sandbox/README.md' },
      { path: 'tools/statements', name: 'Reading files', source: 'packages/statements/README.md' },
      { path: 'tools/coda', name: 'CODA by example', source: 'docs/pages/coda.md' },
      { path: 'tools/languages', name: 'Other languages', source: 'docs/pages/languages.md' },
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
    name: 'For operators',
    pages: [
      operators('production', 'Production', 'docs/guides/running-in-production.md'),
      operators('backup', 'Backup', 'docs/guides/backup.md'),
      operators('benchmarks', 'Benchmarks', 'docs/benchmarks.md'),
      operators('capacity', 'Capacity', 'docs/capacity.md'),
      operators('proofs', 'Proofs', 'docs/proofs.md'),
      operators('observing', 'Observing', 'docs/guides/observing.md'),
      operators('commands', 'Commands', 'docs/guides/operator-commands.md'),
      operators('security', 'Security', 'docs/security.md'),
      operators('personal-data', 'Personal data', 'docs/guides/personal-data.md'),
      operators('documentation', 'This site', 'docs/guides/publishing-the-docs.md'),
      { path: 'decisions/index', name: 'Decisions', source: 'docs/decisions/README.md' },
    ],
  },
];

function guide(name: string, title: string): Page {
  return { path: `guide/${name}`, name: title, source: `docs/pages/guide/${name}.md` };
}

function operators(name: string, title: string, source: string): Page {
  return { path: `operators/${name}`, name: title, source };
}
