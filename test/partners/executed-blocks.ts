/** The test or proof that executes the code blocks of each language. */
type Executed = Readonly<Record<string, string>>;

/** The tests that execute the code blocks of the pages for partners. */
export const executedOfPages: Executed = {
  ts: 'test/partners/partners.test.ts',
  sh: 'test/partners/partners.test.ts',
  python: 'test/partners/samples.prove.ts',
};

export const executedElsewhere: Readonly<Record<string, Executed>> = {
  'docs/guides/editing-the-spec.md': {
    console: 'test/docs/five-edits.ts',
    diff: 'test/docs/five-edits.ts',
    json: 'test/docs/five-edits.ts',
    yaml: 'codegen/test/another-spec.test.ts',
    ts: 'codegen/test/another-spec.test.ts',
    sh: 'codegen/test/another-spec.test.ts',
  },
  'docs/guides/partitions.md': {
    sql: 'test/operations/partitions.test.ts',
    sh: 'test/operations/partitions.test.ts',
  },
  'packages/cli/README.md': {
    sh: 'packages/cli/test/readme.test.ts',
    bash: 'packages/cli/test/readme.test.ts',
    ini: 'packages/cli/test/readme.test.ts',
    text: 'packages/cli/test/readme.test.ts',
  },
  'packages/client/README.md': {
    ts: 'packages/client/test/package.test.ts',
    typescript: 'test/operations/killed-sync.test.ts',
  },
  'packages/sandbox/README.md': {
    js: 'packages/sandbox/test/readme.test.ts',
  },
  'packages/statements/README.md': {
    ts: 'packages/statements/test/package.test.ts',
    sh: 'packages/statements/test/package.test.ts',
  },
};

/** Why a code block is not executed, by the word after `not-run:` behind its language. */
export const reasonsNotToRun: Readonly<Record<string, string>> = {
  installs: 'installs a package from a registry; the tests of the packages install what was packed',
  settings: 'has the values of a reader, in place of which tests set those of a sandbox',
  endless: 'runs until it is stopped; the tests of the sandbox and of the client run the same',
  output: 'is what a command prints',
  fragment: 'is a part of a spec, checked with all of openapi.yaml',
  synopsis: 'has words in place of values',
  deployment: 'changes a deployment; test/docs/guides.test.ts compares it with the program',
  build: 'builds for minutes; the tests of the documentation and the client build the same',
  release: 'publishes packages; test/release/release.prove.ts does so',
  proxy: 'needs a proxy; packages/client/test/proxies.test.ts does the same through one',
  windows:
    'needs Windows or Docker; packages/sandbox/test/commands.test.ts starts it with --host, and first-call.test.ts has the lines for each shell',
  shells:
    'needs another shell; packages/cli/test/command-line.test.ts runs the scripts in those that are there',
  schedulers: 'changes the machine of the reader',
  scenarios: 'changes a running sandbox; its tests run each scenario with the command',
};
