import { expect } from 'vitest';
import { createSigningLinks } from '../../../../src/mandates/signing/signing-links.js';
import { answerAsShown } from '../../../mandates/answer-as-shown.js';
import { operatorForFile } from '../../operator-with-storage.js';

/** Prepares the commands about mandates for a test file, and their signing. */
export async function mandateCommands() {
  const { knex, run, settings } = await operatorForFile();

  /** Runs a command with `--json`, which must succeed, and returns its output. */
  async function json(...parameters: string[]) {
    const { exitCode, stdout, stderr } = await run(...parameters, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  /** Signs the latest request of a customer with its link, as the contact does. */
  async function sign(customerId: string) {
    const { id, firm_id } = await knex('signature_requests')
      .where({ customer_id: customerId })
      .orderBy('id', 'desc')
      .first('id', 'firm_id');
    const link = await createSigningLinks('', 'x'.repeat(32)).create(knex, {
      ...{ requestId: id, firmId: firm_id, delivery: 1 },
    });
    const answer = {
      answer: 'signed',
      signerName: 'An Peeters',
      address: '203.0.113.7',
      userAgent: 'Mozilla/5.0',
    } as const;
    await answerAsShown(knex, link.replace('/sign/', ''), answer, new Date());
  }

  return { knex, run, settings, json, sign };
}
