import { expect, test } from 'vitest';
import { knexForFile } from '../../support/knex-for-file.js';
import { checkEvidence } from './evidence-property.js';
import { startSigningService } from './page/signing-service.js';

const knex = await knexForFile();
const SEQUENCES = 6;

test('D-37 the evidence of random requests is what their page showed, and its hash fits nothing else', async () => {
  const service = await startSigningService(knex);
  let checked = 0;
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    await checkEvidence(knex, service, seed);
    checked += 1;
  }
  await service.close();
  expect(checked).toBe(SEQUENCES);
});
