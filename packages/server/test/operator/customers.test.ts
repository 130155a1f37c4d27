import { expect, test } from 'vitest';
import { createCustomerWithMandates } from './mandates/mandates-of-a-customer.js';
import { operatorForFile } from './operator-with-storage.js';

const operator = await operatorForFile();

test('operator: customer list shows the customers of all firms or of one, with the ids for other commands', async () => {
  const first = await createCustomerWithMandates(operator.knex, {
    enterpriseNumber: '0161.864.987',
    ibans: [],
  });
  const other = await createCustomerWithMandates(operator.knex, {
    enterpriseNumber: '0174.892.879',
    ibans: [],
  });
  const row = ({ firm, customer }: typeof first) => ({
    id: customer.id,
    firmId: firm.id,
    enterpriseNumber: customer.enterpriseNumber,
    name: 'Bakkerij De Gouden Korst',
    isConfidential: false,
  });
  expect((await operator.json('customer', 'list')).printed).toEqual(
    expect.arrayContaining([row(first), row(other)]),
  );
  await operator.run('customer', 'confidential', other.customer.id, 'on');
  expect((await operator.json('customer', 'list', '--firm', other.firm.id)).printed).toEqual([
    { ...row(other), isConfidential: true },
  ]);
  const { stdout } = await operator.run('customer', 'list', '--firm', first.firm.id);
  expect(stdout).toMatch(/^ID +FIRM +ENTERPRISE NUMBER +NAME +CONFIDENTIAL\n/);
  expect(stdout).toContain(`${first.customer.id}  ${first.firm.id}  0161.864.987`);
});
