import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withCustomerField, withOperation } from './support/edit-specification.js';
import { generateInto } from './support/generate-into.js';
import { repository, temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

/** Compiles the service as it is written today, against what another specification generates. */
async function complaintsOfServer(specification: string): Promise<string[]> {
  const { root, pathOf } = temporaryRepository(specification);
  const source = 'packages/server/src';
  cpSync(join(repository, source), pathOf(source), {
    recursive: true,
    filter: (path) => path !== join(repository, source, 'generated'),
  });
  const present = new Set(readdirSync(pathOf('node_modules')));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (present.has(name) || name.startsWith('.')) continue;
    symlinkSync(join(repository, 'node_modules', name), pathOf(`node_modules/${name}`));
  }
  await generateInto(root, specification);
  return typeCheck(root, [pathOf(`${source}/main.ts`)]);
}

// The compiler needs seconds for the service: it is run once for both.
it('codegen: the service itself stops compiling until it returns a new field and serves a new operation', async () => {
  const complaints = await complaintsOfServer(withOperation(withCustomerField()));
  const about = (name: string) => complaints.filter((complaint) => complaint.includes(name));
  expect(about('riskClass')).not.toEqual([]);
  expect(about('restoreCustomer')).not.toEqual([]);
  expect(complaints.filter((each) => !/riskClass|restoreCustomer/.test(each))).toEqual([]);
});
