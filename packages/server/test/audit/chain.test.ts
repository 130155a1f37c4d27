import type { Knex } from 'knex';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insertAuditEntries } from '../../src/audit/audit-entry.js';
import { sealEntries, sealingWork } from '../../src/audit/seal-entries.js';
import { verifyTrail } from '../../src/audit/verify-trail.js';
import { knexForFile } from '../support/knex-for-file.js';

const knex = await knexForFile();
const heads: string[] = [];

/**
 * Three seals, of entries 1 to 3, 4 to 6 and 7 to 9. The entries of the last day are not sealed.
 */
beforeAll(async () => {
  for (const day of [1, 2, 3, 4]) {
    const occurredOn = new Date(`2026-03-0${day}T09:00:00.123Z`);
    await insertAuditEntries(
      knex,
      [1, 2, 3].map((number) => ({
        ...{ occurredOn, actor: 'user', action: 'getCustomer', outcome: 'done' },
        ...{ userId: 'u'.repeat(24), apiKeyId: 'a'.repeat(24), firmId: 'f'.repeat(24) },
        ...{ customerId: String(number).repeat(24), address: '192.0.2.1' },
      })),
    );
    if (day < 4) heads.push((await sealEntries(knex, occurredOn))?.hash ?? '');
  }
});

it('D-58 a run with nothing to seal does not prove that sealing works', async () => {
  const trx = await knex.transaction();
  onTestFinished(async () => void (await trx.rollback()));
  const logger = pino({ level: 'silent' });
  const { run } = sealingWork(trx, logger, () => new Date());
  expect([await run(), await run()]).toEqual(['done', 'idle']);
});

/** Verifies the trail after statements of somebody who may do anything, and takes them back. */
async function verifyAfter(statements: readonly string[], head?: string) {
  const trx = await knex.transaction();
  try {
    await trx.raw('set local session_replication_role = replica');
    for (const statement of statements) await trx.raw(statement);
    return await verifyTrail(trx, head);
  } finally {
    await trx.rollback();
  }
}

describe('D-58 the chain of the audit trail', () => {
  it('is whole after every seal, and contains each of them', async () => {
    for (const head of heads) {
      const verified = { seals: 3, entries: 9, unsealed: 3, faults: [], containsHead: true };
      expect(await verifyTrail(knex, head)).toMatchObject({ ...verified, head: heads[2] });
    }
    const again = await knex.raw(
      "select encode(hash, 'hex') as hash from audit_seals where entries @> 9::bigint",
    );
    expect(again.rows).toEqual([{ hash: heads[2] }]);
  });

  const insertWith = (id: number, firmId = '') =>
    `insert into audit_entries (id, firm_id, occurred_on, actor, operator, action, outcome)
     overriding system value values (${id}, '${firmId}', now(), 'operator', 'x', 'firm list', 'done')`;
  const remove = (seal: number) => `delete from audit_seals where number = ${seal}`;
  const removeEntries = (seal: number) =>
    `delete from audit_entries e using audit_seals s where s.number = ${seal} and s.entries @> e.id`;
  it.each<[string, string, [number, RegExp][]]>([
    ...(
      [
        ["address = '192.0.2.2'", 'the address'],
        ["occurred_on = occurred_on + interval '1 ms'", 'the instant'],
        ["firm_id = 'e' || substr(firm_id, 2)", 'the firm'],
        ['customer_id = null', 'the customer'],
        ["outcome = 'notFound'", 'the outcome'],
        ["request_id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", 'the request'],
        ["user_id = 'v' || substr(user_id, 2)", 'the user'],
      ] as const
    ).map(([change, what]): [string, string, [number, RegExp][]] => [
      `${what} of an entry is changed`,
      `update audit_entries set ${change} where id = 5`,
      [[2, /^it was changed, or one of its entries: 4, 5, 6$/]],
    ]),
    [
      'an entry is removed',
      'delete from audit_entries where id = 4',
      [[2, /^entries were removed: 4$/]],
    ],
    ['an entry is inserted before the first', insertWith(0), [[1, /^entries were added: 0$/]]],
    [
      'an entry is inserted in the place of one that was rolled back',
      `delete from audit_entries where id = 5;
       update audit_seals set entries = entries - '{[5,6)}' where number = 2; ${insertWith(5)}`,
      [[2, /^entries were added: 5$/]],
    ],
    [
      'another entry has the id of one',
      insertWith(5, 'e'.repeat(24)),
      [[2, /^it was changed, or one of its entries: 4, 5, 6$/]],
    ],
    [
      'two entries are exchanged',
      `update audit_entries e set occurred_on = other.occurred_on from audit_entries other
        where (e.id, other.id) in ((4, 7), (7, 4))`,
      [
        [2, /^it was changed/],
        [3, /^it was changed/],
      ],
    ],
    [
      'two entries are exchanged between their seals',
      `update audit_seals set entries = entries - '{[4,5),[7,8)}' +
              case number when 2 then '{[7,8)}' else '{[4,5)}' end::int8multirange
        where number in (2, 3)`,
      [
        [2, /^it was changed/],
        [3, /^it was changed/],
      ],
    ],
    [
      'an entry is taken out of its seal',
      "update audit_seals set entries = entries - '{[5,6)}' where number = 2",
      [[2, /^entries were added: 5$/]],
    ],
    [
      'a seal is removed with its entries',
      `${removeEntries(2)}; ${remove(2)}`,
      [[3, /^the seal before it is 1$/]],
    ],
    [
      'a seal is removed, and its entries stay',
      remove(3),
      [[3, /^it has entries, but it does not exist$/]],
    ],
    [
      'a seal is replaced by one of other entries',
      `update audit_seals set hash = decode(repeat('a', 64), 'hex') where number = 2`,
      [
        [2, /^it was changed/],
        [3, /^it does not continue seal 2$/],
      ],
    ],
    [
      'the beginning is removed without retention',
      `${removeEntries(1)}; ${remove(1)}`,
      [[2, /^the seal before it is 0$/]],
    ],
    [
      'nothing is sealed any more',
      'delete from audit_sealing',
      [[4, /^it has entries, but it does not exist$/]],
    ],
  ])('shows that %s', async (_change, statement, expected) => {
    const { faults } = await verifyAfter([statement]);
    expect(faults.map(({ seal }) => seal)).toEqual(expected.map(([seal]) => seal));
    for (const [place, [, fault]] of expected.entries()) {
      expect(faults[place]?.fault).toMatch(fault);
    }
  });

  it('shows with a logged hash that its end was removed, or written again', async () => {
    const cut = [removeEntries(3), remove(3)];
    const { faults, containsHead } = await verifyAfter(cut, heads[2]);
    expect({ faults, containsHead }).toEqual({ faults: [], containsHead: false });
    expect(await verifyAfter(cut, heads[1])).toMatchObject({ faults: [], containsHead: true });
  });

  it('shows how much was removed from its beginning, also as if by retention', async () => {
    const retention = "select remove_audit_entries('2026-03-01T12:00Z')";
    const verified = { removedSeals: 1, seals: 2, faults: [], containsHead: true };
    expect(await verifyAfter([retention], heads[2])).toMatchObject(verified);
  });

  it.each([
    'update audit_entries set address = null where id = 1',
    'delete from audit_entries where id = 1',
    'delete from audit_entries where id = 12',
    'truncate audit_entries',
    'update audit_seals set sealed_on = now()',
    'delete from audit_seals',
    'truncate audit_seals',
    'delete from audit_sealing',
    'truncate audit_sealing',
    'truncate audit_removals',
  ])('is append-only: %s', async (statement) => {
    await expect(knex.raw(statement)).rejects.toThrow(/the audit trail is append-only/);
  });

  it('stays whole when retention removes what is old, and sealing goes on', async () => {
    const removed = await knex.transaction(async (trx: Knex.Transaction) => {
      const { rows } = await trx.raw(
        `select remove_audit_entries('2026-03-02T12:00Z') as entries, remove_audit_entries('2026-03-02T12:00Z') as again`,
      );
      // The permission to remove ends with the function.
      await expect(trx.transaction((inner) => inner('audit_entries').delete())).rejects.toThrow();
      return rows;
    });
    expect(removed).toEqual([{ entries: 6, again: 0 }]);
    const left = { seals: 1, entries: 3, removedSeals: 2, unsealed: 3, faults: [] };
    expect(await verifyTrail(knex, heads[2])).toMatchObject({ ...left, containsHead: true });
    expect(await verifyTrail(knex, heads[1])).toMatchObject({ ...left, containsHead: true });
    const sealed = await sealEntries(knex, new Date('2026-03-04T09:00:01Z'));
    expect(sealed).toMatchObject({ number: 4, entries: 3 });
    expect(await verifyTrail(knex)).toMatchObject({
      seals: 2,
      entries: 6,
      unsealed: 0,
      faults: [],
    });
    expect(await sealEntries(knex, new Date())).toBeUndefined();
    await knex.raw('select remove_audit_entries(now())');
    const { faults, head } = await verifyTrail(knex);
    expect({ faults, head }).toEqual({ faults: [], head: sealed?.hash });
  });
});
