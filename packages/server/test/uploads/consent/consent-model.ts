import { expect } from 'vitest';
import { newCustomer } from '../../../../../test/support/new-customer.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../../src/customers/customer-store.js';
import { parseNewCustomer } from '../../../src/customers/parse-customer.js';
import { transferCustomer } from '../../../src/customers/transfer-customer.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { formatEnterpriseNumber } from '../../../src/identifiers/enterprise-number.js';
import { operatorScope } from '../../../src/identity/operator-scope.js';
import type { Principal } from '../../../src/identity/principal.js';
import { createCustomerMandates } from '../../../src/mandates/customer-mandates.js';
import { lifecycleStatusSql } from '../../../src/mandates/lifecycle.js';
import {
  listDeliveries,
  type ShownDelivery,
} from '../../../src/uploads/deliveries/listed-deliveries.js';
import { releaseDelivery } from '../../../src/uploads/deliveries/release-delivery.js';
import {
  createLinkedCustomer,
  newConnectedIban,
  newPrincipal,
  iban as parse,
  serveByConnector,
} from '../../mandates/linked-customer.js';
import { asAuthor } from '../../support/as-author.js';
import { expectClaims } from '../../support/expect-claims.js';
import { seededRandom } from '../../support/seeded-random.js';
import { codaFile, codbFile, enterpriseNumber } from '../sample-files.js';
import { runReleaseJobs, setUpUploads } from '../set-up-uploads.js';
import { filesOf, hashesOf, listedFiles } from './files-and-signatures.js';
import { takeStep } from './random-steps.js';

/** The number of times that each event happened, which shows that a run included all of them. */
export type Tally = Record<string, number>;

/**
 * Moves accounts and enterprises between two firms, by archiving, by transfer and because unsigned
 * ones give way, moves mandates through every step of the lifecycle, and delivers, uploads and
 * releases statements, all in random order. Each firm owns the mailboxes of its contacts, so a
 * signature proves nothing once another firm had the link, or something was delivered for it
 * before. Asserts after each event that every listed delivery is covered by a signature in the
 * history of a mandate, and then also by a confirmation of the bank or provider; that no delivery
 * is lost, that nothing is listed twice, and that the files of each customer stay with the firm
 * that received them, until that firm archives the customer.
 *
 * @returns the number of times that each event happened, and the number of listed files
 */
export async function checkConsent(seed: number, events: number): Promise<Tally> {
  const model = await createModel(seed);
  for (let event = 0; event < events; event += 1) {
    const name = await model.happen();
    await model.check(`seed ${seed}, event ${event}: ${name}`, name);
  }
  await model.finish();
  await model.check(`seed ${seed}, at the end`, 'finish');
  return model.tally;
}

async function createModel(seed: number) {
  const work = await setUpUploads();
  const { knex } = work;
  await serveByConnector(knex);
  const random = seededRandom(seed);
  const oneOf = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  const firms = [work.principal, await newPrincipal(knex)];
  // The bank of the last one is not supported.
  const ibans = [newIban(), newConnectedIban(), newConnectedIban(), newIban(), newIban('128')];
  const providers = [['sdworx'], ['securex', 'sdworx'], ['***other***']];
  const numbers = providers.map(() => enterpriseNumber());
  /** All of them, also former ones, in an order that does not depend on their digits. */
  const subjects = [...ibans, ...numbers];
  const placeOf = ({ iban, enterpriseNumber, ...held }: ShownDelivery) =>
    [
      String(subjects.indexOf(iban ?? enterpriseNumber ?? '')).padStart(4, '0'),
      String(held.statementNumber).padStart(2, '0'),
      ...[held.payrollProvider, held.linkId],
    ].join(' ');
  // Unsigned links give way at once.
  const follower = createCustomerMandates(undefined, { perFirm: 1000, days: 0 });
  const links = createCustomerLinkStore(knex, follower);
  const customers = createCustomerStore(knex, follower);
  const prefixes = new Map<Principal, string>();
  for (const firm of firms) prefixes.set(firm, await work.grant('CODA', firm));
  const tally: Tally = {};
  /** The content hashes of all deliveries, as in `files` and `held_deliveries`. */
  const delivered = new Set<string>();

  const customerOf = (enterprise_number: string) =>
    knex('customers').where({ enterprise_number }).whereNull('archived_on').first();
  async function register(enterprise_number: string, firm: Principal) {
    const links = { providers: providers[numbers.indexOf(enterprise_number)] ?? [] };
    await createLinkedCustomer(knex, firm, links, undefined, { enterprise_number });
  }
  for (const [i, number] of numbers.entries())
    await register(number, firms[i % 2] ?? work.principal);

  /**
   * The accounts and payroll providers for which something was delivered before any firm had them.
   */
  const deliveredFirst = new Set<string>();
  async function rememberUnknown(provider: string | undefined) {
    const known =
      provider === undefined
        ? await knex('bank_accounts').pluck('iban')
        : await knex('customer_payroll_providers as p')
            .join('customers as c', 'c.id', 'p.customer_id')
            .select<{ subject: string }[]>(
              knex.raw("c.enterprise_number || ' ' || p.code as subject"),
            )
            .then((rows) => rows.map(({ subject }) => subject));
    const subjects = provider === undefined ? ibans : numbers.map((each) => `${each} ${provider}`);
    for (const subject of subjects) if (!known.includes(subject)) deliveredFirst.add(subject);
  }

  const events: Record<string, () => Promise<unknown>> = {
    async link() {
      const customer = await customerOf(oneOf(numbers) ?? '');
      const firm = firms.find(({ firmId }) => firmId === customer.firm_id) ?? work.principal;
      if (random() < 0.3) {
        const code = oneOf(['sdworx', 'securex']) ?? '';
        await links.addPayrollProvider(asAuthor(firm), customer.id, code);
        return;
      }
      const iban = parse(oneOf(ibans) ?? '');
      const others = knex('bank_accounts').where({ iban }).whereNot('customer_id', customer.id);
      const [before] = await others.clone().whereNull('disabled_on');
      await links.addBankAccount(asAuthor(firm), customer.id, iban).catch(ignore('ibanInUse'));
      const [after] = await others.clone().whereNull('disabled_on');
      if (before !== undefined && after === undefined) count('gave way');
    },
    async unlink() {
      const account = await knex('bank_accounts as a')
        .join('customers as c', 'c.id', 'a.customer_id')
        .where({ iban: oneOf(ibans) })
        .whereNull('a.disabled_on')
        .first('a.customer_id', 'a.iban', 'c.firm_id');
      const firm = firms.find(({ firmId }) => firmId === account?.firm_id);
      if (firm) await links.end(asAuthor(firm), account.customer_id, { iban: account.iban });
    },
    async moveEnterprise() {
      const number = oneOf(numbers) ?? '';
      const customer = await customerOf(number);
      const [from, to] = firms[0]?.firmId === customer.firm_id ? firms : firms.toReversed();
      if (from === undefined || to === undefined) return;
      await customers.archive(asAuthor(from), customer.id);
      archived.add(customer.id);
      await register(number, to);
    },
    async openAccount() {
      const iban = newIban();
      ibans[oneOf([0, 3]) ?? 0] = iban;
      subjects.push(iban);
    },
    async take() {
      const number = oneOf(numbers) ?? '';
      const before = await customerOf(number);
      const firm = firms.find(({ firmId }) => firmId !== before.firm_id) ?? work.principal;
      const wanted = parseNewCustomer(
        newCustomer({ enterpriseNumber: formatEnterpriseNumber(number) }),
      );
      const created = await customers.create(asAuthor(firm), wanted);
      if (typeof created === 'object') count('gave way whole');
    },
    async transfer() {
      const { id: customerId, firm_id } = await customerOf(oneOf(numbers) ?? '');
      const { firmId: toFirmId } = firms.find(({ firmId }) => firmId !== firm_id) ?? work.principal;
      const agreed = { customerId, toFirmId, agreedBy: 'Jan Peeters' };
      expect(await transferCustomer(knex, operatorScope(), follower, agreed)).toMatchObject({
        id: customerId,
      });
      const received = await knex('files').where({ customer_id: customerId });
      if (received.length > 0) count('transferred with files');
    },
    step: () => inTransaction(knex, (trx) => takeStep(trx, oneOf)),
    async deliver() {
      const number = Math.ceil(random() * 30);
      const source = oneOf(['SD Worx', 'Securex', 'Boekhouding Janssens']) ?? '';
      const isCoda = random() < 0.7;
      const bytes = isCoda
        ? codaFile(...ibans.map((iban) => ({ iban, number })))
        : codbFile(...numbers.map((each) => ({ enterpriseNumber: each, number, source })));
      const provider = source === 'Securex' ? 'securex' : 'sdworx';
      const statuses = await knex('mandates as m')
        .whereNull('closed_on')
        .distinct(knex.raw(`${lifecycleStatusSql} as status`));
      for (const { status } of statuses) count(`delivered while ${status}`);
      await rememberUnknown(isCoda ? undefined : provider);
      let received = 0;
      for (const from of isCoda ? ['GKCCBEBB', 'BNAGBEBB', 'MPSNBE92'] : [provider]) {
        const { listed, held, repeated } = await work.deliver(bytes, { from });
        received += listed + held + repeated;
      }
      expect(received).toBe(isCoda ? ibans.length : numbers.length);
      for (const hash of await hashesOf(work)) delivered.add(hash);
    },
    async upload() {
      const firm = oneOf(firms) ?? work.principal;
      const statement = { iban: oneOf(ibans) ?? '', number: Math.ceil(random() * 30) };
      await work.upload('CODA', `${prefixes.get(firm)}/${random()}`, codaFile(statement));
      await work.readAll();
    },
    async release() {
      const deliveries = await listDeliveries(knex, operatorScope());
      const held = oneOf(
        deliveries.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
      );
      const mandate = oneOf(await knex('mandates').orderBy('id'));
      if (held === undefined || mandate === undefined) return;
      const fitting = oneOf(held.mandates)?.linkId;
      const ofMandate = mandate.bank_account_id ?? mandate.payroll_link_id;
      releasedLink = random() < 0.5 ? (fitting ?? ofMandate) : ofMandate;
      await releaseDelivery(work, held.id, releasedLink ?? '');
    },
    releaseJobs: () => runReleaseJobs(work),
  };
  const weights = { link: 4, step: 16, deliver: 4, upload: 1 };
  const names = Object.keys(events).flatMap((name) =>
    Array(weights[name as keyof typeof weights] ?? 1).fill(name),
  );

  const count = (name: string) => {
    tally[name] = (tally[name] ?? 0) + 1;
  };
  let seen = new Set<string>();
  let releasedLink: string | undefined;
  /** The customers that a firm archived, whose files are listed no more. */
  const archived = new Set<string>();
  /** The firm that received each file. */
  const receivers = new Map<string, string>();

  return {
    tally,
    async happen(): Promise<string> {
      const name: string = oneOf(names);
      count(name);
      await events[name]?.();
      return name;
    },
    async finish(): Promise<void> {
      await runReleaseJobs(work);
      const links = await knex('held_deliveries')
        .whereNot({ firm_id: '' })
        .select({
          linkId: knex.raw('coalesce(bank_account_id, payroll_link_id)'),
          firmId: 'firm_id',
        });
      const covered = await work.coverage.coveredLinks(knex, links);
      expect([...covered], `seed ${seed}: held although signed`).toEqual([]);
      await expectClaims(knex);
    },
    async check(when: string, event: string): Promise<void> {
      const files = await listedFiles(
        work,
        event === 'release' ? releasedLink : undefined,
        deliveredFirst,
      );
      for (const file of files.filter(({ id }) => !seen.has(id))) {
        count(file.source === 'upload' ? 'listed from uploads' : 'listed from deliveries');
        if (file.source === 'upload') expect(file.firm_id, when).toBe(file.grant_firm_id);
        else {
          const without = `${when}: ${file.file_name} without`;
          expect(file.is_signed, `${without} a signature`).toBe(true);
          expect(file.is_confirmed, `${without} a confirmation`).toBe(true);
        }
      }
      for (const { id, firm_id } of files) receivers.set(id, receivers.get(id) ?? firm_id);
      for (const firm of firms) {
        const expected = files.filter(
          ({ id, customer_id }) => receivers.get(id) === firm.firmId && !archived.has(customer_id),
        );
        const ids = expected.map(({ id }) => id).sort();
        expect(await filesOf(work, firm), `${when}: files of a firm`).toEqual(ids);
      }
      seen = new Set(files.map(({ id }) => id));
      const keys = files.map(({ customer_id, hash }) => `${customer_id} ${hash}`);
      expect(new Set(keys).size, `${when}: listed twice`).toBe(keys.length);
      const present = await hashesOf(work);
      expect(
        [...delivered].filter((hash) => !present.has(hash)),
        `${when}: lost`,
      ).toEqual([]);
    },
  };
}

function ignore(code: string) {
  return (error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== code) throw error;
  };
}
