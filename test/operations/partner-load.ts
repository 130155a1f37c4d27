import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@adx/client';
import { expect } from 'vitest';
import { readSignatureMails } from '../../packages/sandbox/src/demo/contacts.js';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';

interface LoadTarget {
  readonly publicUrl: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  readonly mailFolder: string;
}

interface PartnerLoad {
  readonly listed: readonly string[];
  readonly failures: readonly string[];
  /** Lets everything that has begun come to its end. */
  stop(): Promise<void>;
}

/** Starts writers, who lead customers to a listed statement, and readers. No call is retried. */
export function startPartnerLoad(
  target: LoadTarget,
  writers: number,
  readers: number,
): PartnerLoad {
  const listed: string[] = [];
  const failures: string[] = [];
  let isEnding = false;
  let customers = 0;

  const signIn = () => {
    const { publicUrl, apiKey, username, password } = target;
    const options = { apiKey, username, password, maxRetries: 0, allowHttp: true };
    return createClient({ baseUrl: `${publicUrl}/v1`, ...options });
  };

  async function leadCustomer(): Promise<void> {
    const client = signIn();
    customers += 1;
    const email = `contact${customers}@bakkerij.example`;
    const iban = newIban();
    const { contact, ...fields } = newCustomer({ bankAccounts: [{ iban }] });
    const { id } = await client.customers.create({ ...fields, contact: { ...contact, email } });
    const mail = await eventually(async () => {
      const mails = await readSignatureMails(target.mailFolder, target.publicUrl);
      return mails.find(({ to }) => to === email);
    });
    for (let tries = 1; !(await sign(mail?.link ?? '')); tries += 1) {
      if (tries === 20) throw new Error('The signing page accepts no answer');
    }
    const upload = await client.codaFiles.upload(codaFile({ iban }), `${iban}.cod`);
    expect(await upload.outcome()).toMatchObject({ status: 'processed', fileCount: 1 });
    const { bankAccounts = [] } = await client.customers.get(id);
    expect(bankAccounts).toMatchObject([{ iban }]);
    listed.push(iban);
  }

  /** Signs as a contact does in a browser. Returns false if the page is shown again. */
  async function sign(link: string): Promise<boolean> {
    const page = await (await fetch(link)).text();
    const [, shown = ''] = /name="shown" value="(\w+)"/.exec(page) ?? [];
    const body = new URLSearchParams({ answer: 'signed', name: 'Jan', consent: 'yes', shown });
    const answer = await fetch(link, { method: 'POST', body, redirect: 'manual' });
    return answer.status === 303;
  }

  async function read(): Promise<void> {
    const client = signIn();
    for (let times = 0; times < 20 && !isEnding; times += 1) {
      await client.customers.search({ search: 'bakkerij', limit: 10 });
      await client.mandates.search({ limit: 10 });
      const groups = await client.codaFiles.list();
      const files = groups.flatMap(({ ibans }) => ibans.flatMap((account) => account.files));
      const fileIds = files.slice(0, 500).map(({ id }) => id);
      if (fileIds.length > 0) await client.codaFiles.acknowledgeMany({ fileIds });
      await wait(50);
    }
  }

  const repeat = async (work: () => Promise<void>) => {
    while (!isEnding) {
      await work().catch(async (error: unknown) => {
        failures.push(`${error}`);
        await wait(100);
      });
    }
  };
  const lanes = [
    ...Array.from({ length: writers }, () => repeat(leadCustomer)),
    ...Array.from({ length: readers }, () => repeat(read)),
  ];
  return {
    listed,
    failures,
    async stop() {
      isEnding = true;
      await Promise.all(lanes);
    },
  };
}
