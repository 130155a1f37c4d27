import { expect, it } from 'vitest';
import { corpus } from './support/corpus.js';
import { generateInto } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const specification = corpus('valid').find(({ name }) => name === 'changes.yaml')?.text ?? '';

/** Follows changes with these options, and shows a field of each record. */
const following = (options: string) => `
import type { Client } from '../packages/client/src/generated/client.gen.js';

export async function follow(client: Client): Promise<string> {
  for await (const thing of client.things.changes(${options})) return thing.changedOn + thing.name;
  return '';
}
`;

it('codegen: x-changes becomes a method that takes an instant and the filters', async () => {
  const { root, write } = temporaryRepository(specification);
  await generateInto(root, specification);
  // What the method sends by itself is no filter.
  const fields = ['changedSince', 'order', 'limit', 'offset'];
  const options: Readonly<Record<string, string>> = {
    right: `{ since: new Date(), filter: { name: 'lamp' }, intervalMs: 1 }`,
    empty: '{}',
    ...Object.fromEntries(fields.map((field) => [field, `{ since: '', ${field}: '' }`])),
  };
  const complaints = typeCheck(
    root,
    Object.entries(options).map(([name, text]) => write(`test/${name}.ts`, following(text))),
  );
  const about = (name: string) => complaints.filter((each) => each.startsWith(`test/${name}.ts`));
  expect(about('right')).toEqual([]);
  expect(about('empty').join()).toContain("'since'");
  for (const field of fields) expect(about(field).join()).toContain(`'${field}'`);
});
