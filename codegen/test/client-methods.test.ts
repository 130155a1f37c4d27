import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { corpus } from './support/corpus.js';
import { filesOf, generateInto } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

/** Returns the errors of the compiler for programs that use the client of a spec of the corpus. */
async function errorsOf(
  name: string,
  programs: Readonly<Record<string, string>>,
): Promise<(program: string) => string[]> {
  const spec = corpus('valid').find((each) => each.name === name)?.text ?? '';
  const { root, write } = temporaryRepository(spec);
  await generateInto(root, spec);
  const files = Object.entries(programs).map(([program, text]) =>
    write(`test/${program}.ts`, text),
  );
  const compilerErrors = typeCheck(root, files);
  const isAbout = (program: string) => (each: string) => each.startsWith(`test/${program}.ts`);
  const names = Object.keys(programs);
  expect(compilerErrors.filter((each) => !names.some((program) => isAbout(program)(each)))).toEqual(
    [],
  );
  return (program) => compilerErrors.filter(isAbout(program));
}

/** Returns a program that follows changes with these options, and prints a field of each record. */
const changesProgram = (options: string) => `
import type { Client } from '../packages/client/src/generated/client.gen.js';

export async function follow(client: Client): Promise<string> {
  for await (const thing of client.things.changes(${options})) return thing.changedOn + thing.name;
  return '';
}
`;

it('codegen: x-changes becomes a method that takes an instant and the filters', async () => {
  // The method sends these itself: they are not filters.
  const fields = ['changedSince', 'order', 'limit', 'offset'];
  const about = await errorsOf('changes.yaml', {
    right: changesProgram(`{ since: new Date(), filter: { name: 'lamp' }, intervalMs: 1 }`),
    empty: changesProgram('{}'),
    ...Object.fromEntries(
      fields.map((field) => [field, changesProgram(`{ since: '', ${field}: '' }`)]),
    ),
  });
  expect(about('right')).toEqual([]);
  expect(about('empty').join()).toContain("'since'");
  for (const field of fields) expect(about(field).join()).toContain(`'${field}'`);
});

/** Returns a program that downloads a file with these options and uploads it again. */
const transferProgram = (options: string) => `
import type { Client } from '../packages/client/src/generated/client.gen.js';

export async function copy(client: Client): Promise<string> {
  const [file] = await client.files.list();
  if (!file) return '';
  const { body, fileName } = await client.files.download(file, ${options});
  const upload = await client.files.upload(body, fileName);
  const { fileCount } = await upload.outcome();
  return upload.key + fileCount.toFixed();
}
`;

it('codegen: x-download and x-upload become methods of the resource', async () => {
  const about = await errorsOf('transfers.yaml', {
    right: transferProgram(`{ kind: 'pdf', timeoutMs: 1 }`),
    // No file has a URL of this kind.
    wrong: transferProgram(`{ kind: 'zip' }`),
  });
  expect(about('right')).toEqual([]);
  const [compilerError, ...others] = about('wrong');
  expect(compilerError).toContain('"zip"');
  expect(others).toEqual([]);
});

it.each(['^[a-z/]+[.]cod$', '^[a-z\\/]+\\/?[.]cod$', '^[a-z]+[.]cod(\\\\/)?$'])(
  'D-50 codegen: the client has the pattern %s of names as it is, for each response with them',
  async (pattern) => {
    const spec = corpus('valid').find(({ name }) => name === 'transfers.yaml')?.text ?? '';
    const changed = spec.replaceAll('^[a-z]+[.]cod$', () => pattern);
    const client = (await filesOf(changed)).get('packages/client/src/generated/client.gen.ts');
    const literals = [...(client ?? '').matchAll(/fileName: (\/.*\/u)/g)];
    expect(literals).toHaveLength(1);
    for (const [, literal = ''] of literals) {
      expect(String(runInNewContext(literal))).toBe(String(new RegExp(pattern, 'u')));
    }
  },
);

it('D-40 codegen: the client marks a deprecated operation, with what the spec says about its end', async () => {
  const spec = corpus('valid').find(({ name }) => name === 'deprecation.yaml')?.text ?? '';
  const client = (await filesOf(spec)).get('packages/client/src/generated/client.gen.ts') ?? '';
  expect(client.match(/@deprecated.*/g)).toEqual([
    '@deprecated Since 2026-12-01. From 2027-06-30 on it may be gone. Call `things.get` instead.',
    '@deprecated Since 2026-12-01.',
    '@deprecated',
  ]);
});
