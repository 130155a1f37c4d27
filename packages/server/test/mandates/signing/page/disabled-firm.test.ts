import { expect, test } from 'vitest';
import { setFirmDisabled } from '../../../../src/identity/disable-firm.js';
import { deliveriesOfFirm } from '../../../../src/mandates/disabled-firms.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, hiddenFields, signed, signingServiceForFile } from './signing-service.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

const titles = {
  en: 'You cannot sign at the moment',
  nl: 'U kunt op dit moment niet ondertekenen',
  fr: 'Vous ne pouvez pas signer pour le moment',
  de: 'Sie können zurzeit nicht unterzeichnen',
};

test('D-60 contacts of a disabled firm can neither sign nor decline, which the page says in their language', async () => {
  const { path, requestId } = await service.send();
  const { firm_id } = await knex('signature_requests').where({ id: requestId }).first('firm_id');
  const form = hiddenFields((await service.ask(path)).body);
  await setFirmDisabled(knex, deliveriesOfFirm, firm_id, true);
  for (const [language, title] of Object.entries(titles)) {
    const { status, body } = await service.ask(`${path}?lang=${language}`);
    expect(status).toBe(200);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).not.toContain('<form');
  }
  for (const answer of [signed, declined]) {
    expect((await service.postTo(path, { ...form, ...answer })).status).toBe(303);
  }
  const request = knex('signature_requests').where({ id: requestId });
  expect(await request.clone().first('answer')).toEqual({ answer: null });

  await setFirmDisabled(knex, deliveriesOfFirm, firm_id, false);
  expect((await service.post(path, signed)).status).toBe(303);
  expect(await request.clone().first('answer')).toEqual({ answer: 'signed' });
});
