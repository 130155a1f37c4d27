import { expect, it } from 'vitest';
import { corpus } from './support/corpus.js';
import { generateInto } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

const specification = corpus('valid').find(({ name }) => name === 'transfers.yaml')?.text ?? '';

/** Downloads a file in this form and uploads it again. */
const transferring = (options: string) => `
import type { Client } from '../packages/client/src/generated/client.gen.js';

export async function copy(client: Client): Promise<string> {
  const [file] = await client.files.list();
  if (!file) return '';
  const { body, fileName } = await client.files.download(file, ${options});
  const { key } = await client.files.upload(body, fileName);
  return key;
}
`;

it('codegen: x-download and x-upload become methods of the resource', async () => {
  const { root, write } = temporaryRepository(specification);
  await generateInto(root, specification);
  const right = write('test/right.ts', transferring(`{ kind: 'pdf', timeoutMs: 1 }`));
  // A kind of URL that no file has.
  const wrong = write('test/wrong.ts', transferring(`{ kind: 'zip' }`));
  const [complaint, ...others] = typeCheck(root, [right, wrong]);
  expect(complaint).toMatch(/^test\/wrong\.ts.*"zip"/);
  expect(others).toEqual([]);
});
