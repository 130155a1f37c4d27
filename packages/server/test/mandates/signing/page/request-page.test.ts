import { describe, expect, test } from 'vitest';
import { newIban } from '../../../../../../test/support/numbers.js';
import { knexForFile } from '../../../support/knex-for-file.js';
import { declined, signed, signingServiceForFile } from './signing-service.js';

const knex = await knexForFile();
const service = await signingServiceForFile(knex);

describe('signing page: the request', () => {
  test('D-13 D-17 it shows the firm, the customer, all accounts and providers, and the last day', async () => {
    await knex('banks').where({ bic: 'BBRUBEBB' }).update({ connector_id: 7 });
    const belfius = newIban();
    const ing = newIban('363');
    const [provider] = await knex('payroll_providers').where({ supported: true }).orderBy('code');
    const { path } = await service.send({
      firmName: 'Kantoor Janssens',
      customerName: 'Bakkerij De Gouden Korst',
      ibans: [belfius, ing],
      payrollProviders: [provider.code],
    });
    const { status, body } = await service.ask(path);
    expect(status).toBe(200);
    for (const shown of [
      'Kantoor Janssens',
      'Bakkerij De Gouden Korst',
      belfius.replaceAll(/.{4}(?=.)/g, '$& '),
      'BELFIUS',
      ing.replaceAll(/.{4}(?=.)/g, '$& '),
      'Consent, to be renewed every 180 days',
      provider.name_nl,
      '2 December 2026',
      'these 3 mandates',
    ]) {
      expect(body).toContain(shown);
    }
    expect(body.match(/180 days/g)).toHaveLength(1);
    expect(body).toMatch(/\d{4}\.\d{3}\.\d{3}/);
  });

  test('D-36 it says how to reach the firm, before and after the answer', async () => {
    const { path, customerId } = await service.send();
    expect((await service.ask(path)).body).not.toContain('Questions?');
    const { firm_id: id } = await knex('customers').where({ id: customerId }).first('firm_id');
    await knex('firms')
      .where({ id })
      .update({ email: 'info@janssens.example', phone: '09/000.00.01' });
    const reach = [
      'Questions? Ask Kantoor Janssens:',
      '<a href="mailto:info@janssens.example">info@janssens.example</a>',
      '<a href="tel:090000001">09/000.00.01</a>',
    ].join('');
    expect((await service.ask(path)).body).toContain(reach);
    await service.post(path, declined);
    expect((await service.ask(path)).body).toContain(reach);
  });

  test('signing page: names are escaped', async () => {
    const name = `<script>alert("1")</script> & 'Zonen'`;
    const { path } = await service.send({ firmName: name, customerName: name });
    const pending = await service.ask(path);
    const wrong = await service.post(path, {
      ...signed,
      name: `"><script>2</script>`,
      consent: '',
    });
    await service.post(path, { ...signed, name: '<script>x</script>' });
    const outcome = await service.ask(path);
    for (const { body } of [pending, wrong, outcome]) {
      expect(body).not.toMatch(/<script/i);
      expect(body).toContain('&lt;script>');
    }
  });
});
