import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The part of an Arazzo document that the page of the journeys shows (D-54). */
interface Journey {
  readonly info: { readonly title: string; readonly summary: string };
  readonly workflows: readonly {
    readonly summary: string;
    readonly description: string;
    readonly steps: readonly Step[];
  }[];
}

interface Step {
  readonly description: string;
  /** `$sourceDescriptions.<name>.<operationId>`, or `<operationId>` if there is one source. */
  readonly operationId?: string;
}

/** The files in `docs/journeys`, in the order of the page. */
const names = [
  ...['signing-in', 'onboarding', 'changes', 'uploads', 'missing-statements'],
  'audit-trail',
  ...['errors-correct-the-request', 'errors-sign-in-again', 'errors-ask-for-permission'],
  ...['errors-look-first', 'errors-wait-and-repeat'],
];

/** The spec, as the journeys name it. */
const source = '../../packages/contract/src/generated/openapi.gen.json';

/** Returns the journeys in Markdown: for each workflow its steps, with links to the operations. */
export async function journeys(root: string): Promise<string> {
  const parts = names.map(async (name) => {
    const path = join(root, 'docs/journeys', `${name}.arazzo.yaml`);
    const { info, workflows }: Journey = parse(await readFile(path, 'utf8'));
    const document = `[Arazzo document](/journeys/${name}.arazzo.yaml)`;
    return [`## ${info.title}`, `${info.summary} ${document}`, ...workflows.map(describe)].join(
      '\n\n',
    );
  });
  return (await Promise.all(parts)).join('\n\n');
}

/**
 * Returns the files of the journeys as the site has them, by path: there, the spec is in the
 * reference.
 */
export async function journeyFiles(root: string): Promise<Map<string, string>> {
  const folder = join(root, 'docs/journeys');
  const files = (await readdir(folder)).map(async (name): Promise<[string, string]> => {
    const text = await readFile(join(folder, name), 'utf8');
    return [`journeys/${name}`, text.replaceAll(source, '../reference/openapi.yaml')];
  });
  return new Map(await Promise.all(files));
}

function describe({ summary, description, steps }: Journey['workflows'][number]): string {
  const lines = steps.map((step, i) => `${i + 1}. ${inOneLine(step.description)}${linkOf(step)}`);
  return [`### ${summary}`, inOneLine(description), lines.join('\n')].join('\n\n');
}

function inOneLine(text: string): string {
  return text.trim().replaceAll('\n', ' ');
}

function linkOf({ operationId }: Step): string {
  const [name = '', source] = (operationId ?? '').split('.').toReversed();
  if (name === '' || source === 'sandbox') return '';
  return ` ([${name}](/reference/index.html#operation/${name}))`;
}
