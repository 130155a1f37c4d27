import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  addNode,
  citusUrl,
  createDistributed,
  dropDistributed,
  type NodeAddress,
} from '../../packages/server/test/support/citus-databases.js';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { printResult } from '../proofs/print-result.js';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { addFirm, type CallingFirm, startCreating } from './support/creating-firms.js';
import {
  createDeployment,
  type DeployedUser,
  type Deployment,
  type ServiceProcess,
} from './support/deployment.js';

const FIRMS = 24;
const UPLOADERS = 8;

/** A worker node behind a proxy, so that a test can stop it for all others. */
interface ProxiedNode extends NodeAddress {
  readonly proxy: DatabaseProxy;
}

/** Creates a distributed database with one worker node, and the address of a second one. */
async function createCluster(coordinatorUrl: string) {
  const nodes: ProxiedNode[] = [];
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDistributed(coordinatorUrl, name, {
    isLeftOut: (index) => index > 0,
    async reachedAt({ host, port }) {
      const proxy = await openDatabaseProxy(`postgres://${host}:${port}`);
      const node = { host: '127.0.0.1', port: Number(new URL(proxy.url).port), proxy };
      nodes.push(node);
      return node;
    },
  });
  const deployment = await createDeployment({
    url,
    release: async () => {
      await dropDistributed(coordinatorUrl, url);
      for (const { proxy } of nodes) await proxy.close();
    },
  });
  onTestFinished(() => deployment.close());
  return { deployment, nodes };
}

/** Returns the firms on a node, by the names of their users and by their ids. */
async function firmsOn({ knex }: Deployment, { port }: NodeAddress): Promise<ReadonlySet<string>> {
  const { rows } = await knex.raw<{ rows: { username: string; firmId: string }[] }>(
    `select u.username, u.firm_id as "firmId" from users u
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('customers', u.firm_id)
       join pg_dist_node n on n.groupid = p.groupid
      where n.nodeport = ?`,
    [port],
  );
  return new Set(rows.flatMap(({ username, firmId }) => [username, firmId]));
}

/** Returns the items that the condition does not hold for, and those that it does. */
function partition<Item>(items: readonly Item[], is: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => !is(item)), items.filter(is)];
}

const encoded = (password: string) => Buffer.from(password).toString('base64');

/** Calls as a firm what reads and writes, and returns the statuses that it got. */
async function callEverything(
  deployment: Deployment,
  service: ServiceProcess,
  { username, password }: CallingFirm,
): Promise<number[]> {
  const body = { username, password: encoded(password) };
  const signedIn = await deployment.call(service, '/token', { method: 'POST', body });
  if (signedIn.status !== 200) return [signedIn.status];
  const tokens = (await signedIn.json()) as Readonly<Record<'idToken' | 'refreshToken', string>>;
  const { idToken, refreshToken } = tokens;
  const send = (path: string, sent: object, method = 'POST') =>
    deployment.call(service, path, { method, idToken, body: sent });
  const created = await send(
    '/customers/create',
    newCustomer({ bankAccounts: [{ iban: newIban() }] }),
  );
  const { id } = (await created.json()) as { id: string };
  const answers = [
    created,
    await deployment.call(service, '/token', { method: 'POST', body: { refreshToken } }),
    await send('/customers', { search: 'bakkerij' }),
    await send(`/customers/${id}`, { name: 'Nieuwe naam' }, 'PATCH'),
    await send(`/customers/${id}/bank-accounts/${newIban()}`, {}),
    await send('/mandates', {}),
    await send('/coda-files', {}),
    await send('/audit-entries', {}),
  ];
  return answers.map(({ status }) => status);
}

test.skipIf(citusUrl === undefined)(
  'D-72 firms move to a new node while they call, and a node that stops takes only its firms down',
  async () => {
    const { deployment, nodes } = await createCluster(citusUrl ?? '');
    const [first, second] = nodes;
    if (first === undefined || second === undefined) throw new Error('Two nodes are needed');
    const metricsPort = await freePort();
    const service = await deployment.start({ METRICS_PORT: String(metricsPort) });
    await deployment.startWorker();
    const firms: CallingFirm[] = [];
    for (let index = 0; index < FIRMS; index += 1) {
      firms.push(await addFirm(deployment, `Kantoor-${index}`));
    }
    const uploaders = await Promise.all(
      Array.from({ length: UPLOADERS }, () => deployment.createUser()),
    );
    const upload = async ({ client }: DeployedUser) => {
      const iban = newIban();
      await client(service).customers.create(newCustomer({ bankAccounts: [{ iban }] }));
      return client(service).codaFiles.upload(codaFile({ iban }), 'statements.cod');
    };
    const creating = startCreating(deployment, service, firms, 600);
    await pause(2_000);

    await addNode(deployment.databaseUrl, second);
    await deployment.knex.raw('select citus_rebalance_start()');
    await eventually(async () => {
      const { rows } = await deployment.knex.raw('select state from citus_rebalance_status()');
      return rows[0]?.state === 'finished';
    });
    const onNode = await firmsOn(deployment, second);
    const moved = firms.filter(({ username }) => onNode.has(username));
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.length).toBeLessThan(FIRMS);
    const whileMoving = Object.fromEntries(creating.statuses);
    expect(Object.keys(whileMoving)).toEqual(['200']);

    const [uploadersOfOthers, uploadersOfNode] = partition(uploaders, ({ firmId }) =>
      onNode.has(firmId),
    );
    const waiting = await Promise.all(uploadersOfNode.map(upload));
    await second.proxy.cut();
    const [others, ofNode] = partition(firms, ({ username }) => onNode.has(username));
    let answered = 0;
    for (let round = 0; round < 2; round += 1) {
      for (const firm of others) {
        const statuses = await callEverything(deployment, service, firm);
        expect(new Set(statuses)).toEqual(new Set([200]));
        answered += statuses.length;
      }
    }
    for (const uploader of uploadersOfOthers) {
      expect(await (await upload(uploader)).outcome()).toMatchObject({ status: 'processed' });
    }
    for (const firm of ofNode) {
      const statuses = await callEverything(deployment, service, firm);
      expect(statuses).toContain(503);
    }
    const { rows } = await deployment.knex.raw<{ rows: [{ nodeid: number }] }>(
      'select nodeid from pg_dist_node where nodeport = ?',
      [second.port],
    );
    const [{ nodeid }] = rows;
    await eventually(async () => {
      const readyz = await fetch(`${service.url}/readyz`);
      expect([readyz.status, await readyz.json()]).toMatchObject([
        200,
        {
          status: 'degraded',
          checks: { cluster: { reason: expect.stringContaining(`node ${nodeid},`) } },
        },
      ]);
      return true;
    });
    const isDown = () =>
      eventually(async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return metrics.includes(`adx_database_node_up{node="${nodeid}"} 0`);
      });
    await isDown();

    const restore = async () => {
      await second.proxy.restore();
      for (const firm of firms) {
        await eventually(async () => {
          const statuses = await callEverything(deployment, service, firm);
          return statuses.length > 1 && statuses.every((status) => status === 200);
        });
      }
    };
    await restore();
    for (const { outcome } of waiting) {
      expect(await outcome()).toMatchObject({ status: 'processed' });
    }

    // It accepts connections, but never answers.
    second.proxy.silence();
    const silentFrom = performance.now();
    const seconds = () => Math.round((performance.now() - silentFrom) / 1000);
    const hanging = ofNode.map((firm) => callEverything(deployment, service, firm));
    await isDown();
    const seenAfter = seconds();
    // Until then, calls of the node hold the connections.
    await eventually(async () => {
      for (const firm of others) {
        const statuses = await callEverything(deployment, service, firm);
        if (statuses.some((status) => status !== 200)) return false;
      }
      return true;
    });
    const othersServedAfter = seconds();
    for (const uploader of uploadersOfOthers) {
      expect(await (await upload(uploader)).outcome()).toMatchObject({ status: 'processed' });
    }
    for (const firm of others) {
      const statuses = await callEverything(deployment, service, firm);
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    for (const statuses of await Promise.all(hanging)) expect(statuses).toContain(503);
    const refusedFrom = performance.now();
    for (const firm of ofNode) {
      expect(await callEverything(deployment, service, firm)).toContain(503);
    }
    const refusedMs = Math.round((performance.now() - refusedFrom) / ofNode.length);
    await second.proxy.cut();
    await restore();
    await creating.stop();
    await creating.expectStored();
    printResult({
      firms: FIRMS,
      moved: moved.length,
      callsWhileMoving: whileMoving,
      callsOfOthersWithoutNode: answered,
      uploadsOfOthersWithoutNode: uploadersOfOthers.length,
      uploadsOfNodeAfterwards: waiting.length,
      silentNode: { seenAfter, othersServedAfter, refusedMs },
      customersStored: creating.created.length,
    });
  },
);
