import { randomBytes } from 'node:crypto';
import { newEnterpriseNumber, newIban } from '../../support/numbers.js';
import type { TestService } from '../../support/test-service.js';

/** Stores customers with accounts. Names repeat, so that the order also depends on ids. */
export async function storeCustomers(
  { knex }: Pick<TestService, 'knex'>,
  firmId: string,
  count: number,
): Promise<void> {
  const customers = Array.from({ length: count }, (_, index) => ({
    id: randomBytes(12).toString('hex'),
    firm_id: firmId,
    enterprise_number: newEnterpriseNumber().replaceAll('.', ''),
    name: `Klant ${(index * 7919) % Math.ceil(count / 3)}`,
    accounting_ref: `K-${index}`,
    street: 'Veldstraat 12',
    zip_code: '9000',
    municipality: 'Gent',
    country: 'België',
    contact_name: 'Jan Vermeulen',
    contact_function: 'Zaakvoerder',
    contact_email: 'jan@vermeulen.example',
    contact_language: 'nl',
  }));
  await knex.batchInsert('customers', customers, 1000);
  const accounts = customers.map(({ id }) => ({
    id: randomBytes(12).toString('hex'),
    firm_id: firmId,
    customer_id: id,
    iban: newIban(),
  }));
  await knex.batchInsert('bank_accounts', accounts, 1000);
}
