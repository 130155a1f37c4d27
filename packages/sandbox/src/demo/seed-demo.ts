import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '@adx/client';
import type { Operator } from '../operator.js';
import type { DemoState } from './demo-state.js';
import { demoConnectors, demoFirms } from './firms.js';

type ApiKeys = Pick<DemoState, 'apiKey' | 'ownApiKey'>;
type DemoCredentials = Pick<DemoState, 'passwords'> & ApiKeys;

export async function createFirms(operator: Operator): Promise<DemoCredentials> {
  // Before the bank accounts are created: only new mandates become consents.
  for (const [bic, connector] of demoConnectors) {
    await operator.run(['bank', 'set', bic, '--connector', String(connector)]);
  }
  const passwords: Record<string, string> = {};
  for (const firm of demoFirms) {
    const upload = firm.uploadsCodb ? ['--codb-upload'] : [];
    const reach = ['--email', firm.email, '--phone', firm.phone];
    const { id } = await operator.run<{ id: string }>(
      ['firm', 'create', '--name', firm.name].concat(reach, upload),
    );
    for (const { username, access } of firm.users) {
      const password = randomBytes(12).toString('base64url');
      passwords[username] = password;
      const user = ['--firm', id, '--username', username, '--access', access];
      await operator.run(['user', 'create', ...user, '--password-stdin'], password);
    }
  }
  return {
    apiKey: await issueKey(operator, 'apiKey'),
    ownApiKey: await issueKey(operator, 'ownApiKey'),
    passwords,
  };
}

const partners: Readonly<Record<keyof ApiKeys, string>> = {
  apiKey: 'Demo partner',
  ownApiKey: 'Demo and scenarios',
};

async function issueKey(operator: Operator, name: keyof ApiKeys): Promise<string> {
  const options = ['--partner', partners[name], '--scopes', 'all'];
  return (await operator.run<{ key: string }>(['api-key', 'issue', ...options])).key;
}

/** Issues an API key in the place of each that the service refuses, and returns all that work. */
export async function replaceRefusedKeys(
  operator: Operator,
  baseUrl: string,
  keys: ApiKeys,
): Promise<ApiKeys> {
  const working = async (name: keyof ApiKeys) => {
    const headers = { 'x-api-key': keys[name] };
    const answer = await fetch(`${baseUrl}/v1/customers`, { headers });
    const { error } = (await answer.json()) as { error?: string };
    return error === 'invalidApiKey' ? issueKey(operator, name) : keys[name];
  };
  return { apiKey: await working('apiKey'), ownApiKey: await working('ownApiKey') };
}

export function clientsOf(baseUrl: string, { ownApiKey, passwords }: DemoCredentials): Client[] {
  return demoFirms.map(({ users }) => {
    const username = users.find(({ access }) => access === 'administrator')?.username ?? '';
    const password = passwords[username] ?? '';
    return createClient({ baseUrl: `${baseUrl}/v1`, apiKey: ownApiKey, username, password });
  });
}

export async function createCustomers(
  operator: Operator,
  clients: readonly Client[],
): Promise<void> {
  const unsent: string[] = [];
  for (const [index, firm] of demoFirms.entries()) {
    const assigned: string[] = [];
    for (const customer of firm.customers) {
      const { enterpriseNumber, name, accountingRef, address, contact } = customer;
      const created = await clients[index]?.customers.create({
        ...{ enterpriseNumber, name, accountingRef, address, contact },
        bankAccounts: customer.ibans.map((iban) => ({ iban })),
        payrollProviders: customer.payrollProviders.map((code) => ({ code })),
      });
      if (created === undefined) continue;
      if (customer.requestOutcome === 'created') unsent.push(created.id);
      if (customer.isAssigned) assigned.push(created.id);
      if (customer.isConfidential)
        await operator.run(['customer', 'confidential', created.id, 'on']);
    }
    const limited = firm.users.find(({ isLimited }) => isLimited)?.username;
    if (limited === undefined) continue;
    const users = await operator.run<{ id: string; username: string }[]>(['user', 'list']);
    const { id } = users.find(({ username }) => username === limited) ?? {};
    if (id) await operator.run(['user', 'set', id, '--customers', assigned.join(',')]);
  }
  // Long enough for visitors to see mandates that are `created`.
  await operator.delayMessages(unsent, 600);
}
