import { afterAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { untilCommitted } from '../../src/audit/wait-for-nodes.js';
import { isUnavailable } from '../../src/db/unavailable.js';
import { openTestDatabase } from '../support/knex-for-file.js';
import { takeNodeAway } from '../support/node-away.js';
import { insertFirm } from '../support/rows.js';

const database = await openTestDatabase(afterAll);

test('D-72 what a firm asks for while its node does not respond is refused at once, until the node responds', async () => {
  const [firmId, other] = [await insertFirm(database.knex), await insertFirm(database.knex)];
  const { nodes, restore, silence } = await takeNodeAway(database, 'customers', firmId);
  await eventually(async () => !nodes.isWhole());
  const refusal = (ofFirm: string): unknown => {
    try {
      return nodes.require(ofFirm);
    } catch (error) {
      return error;
    }
  };
  await eventually(async () => isUnavailable(refusal(firmId)));
  expect(refusal(other)).toBeUndefined();
  expect(() => nodes.check()).toThrow('No response from node 2, so its firms have no service');
  expect(nodes.found()).toMatchObject([
    { id: 1, responds: true },
    { id: 2, responds: false },
  ]);
  await restore();
  await eventually(async () => refusal(firmId) === undefined);
  nodes.check();
  await silence();
  await eventually(async () => isUnavailable(refusal(firmId)));
  expect(refusal(other)).toBeUndefined();
  await restore();
  await eventually(async () => refusal(firmId) === undefined);
});

test('D-72 as long as the calls that wait for a lost node may take connections, statements are ended', async () => {
  const firmId = await insertFirm(database.knex);
  let ended = 0;
  const { nodes } = await takeNodeAway(database, 'customers', firmId, () => {
    ended += 1;
  });
  await eventually(async () => ended >= 3);
  expect(nodes.isWhole()).toBe(false);
});

test('D-72 sealing waits for what was prepared before, a second at most, and not for what is prepared later', async () => {
  const { knex } = database;
  const nodesShow = (success: boolean, prepared: string) =>
    knex.raw(`
      create or replace function run_command_on_all_nodes(command text)
        returns table (success boolean, result text) language sql as
        $$ select ${success}, json_build_array(${prepared})::text $$`);
  await knex.raw('create sequence transactions');
  onTestFinished(() =>
    knex.raw('drop function run_command_on_all_nodes; drop sequence transactions').then(() => {}),
  );
  await nodesShow(true, '');
  expect(await untilCommitted(knex)).toBe(true);
  await nodesShow(true, `'stays'`);
  const started = performance.now();
  expect(await untilCommitted(knex)).toBe(false);
  expect(performance.now() - started).toBeGreaterThan(900);
  await nodesShow(true, `nextval('transactions')::text`);
  expect(await untilCommitted(knex)).toBe(true);
  await nodesShow(false, '');
  expect(await untilCommitted(knex)).toBe(false);
});
