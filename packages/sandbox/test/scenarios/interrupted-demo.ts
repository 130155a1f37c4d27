import { describe, expect, test } from 'vitest';
import { readDemoState } from '../../src/demo/demo-state.js';
import { reachInitialStatuses } from '../../src/demo/initial-statuses.js';
import { daysUntilEnd, openMandateLife, showMandate } from '../../src/demo/mandate-life.js';
import { createOperator, type ListedMandate } from '../../src/operator.js';
import { serviceSettings } from '../../src/settings-file.js';
import { dataDir, scenario, settings } from './scenario-sandbox.js';

/** Tests that a demo which was interrupted continues. */
export function testInterruptedDemo(): void {
  describe('sandbox: the demo', () => {
    test('sandbox: days that passed before the demo was interrupted do not pass again', {
      tags: 'long',
    }, async () => {
      const isComplete = async () => (await readDemoState(dataDir))?.isComplete;
      await expect.poll(isComplete, { interval: 500, timeout: 300_000 }).toBe(true);
      const operator = createOperator(await settings());
      const parsed = serviceSettings.parse(await settings());
      const life = openMandateLife(dataDir, parsed, operator);
      const mandates = await operator.run<ListedMandate[]>(['mandate', 'list']);
      const idOf = (name: string) =>
        mandates.find(({ customerName }) => customerName === name)?.id ?? expect.fail(name);
      const reminded = idOf('Webatelier Pixelkroon');
      const renewing = idOf('Cabinet dentaire Sourirelles');
      for (const status of ['expired', 'waitingForSigner']) {
        await scenario('mandate', { status, mandateId: reminded });
      }
      for (const status of ['renewalRequired', 'finished']) {
        await scenario('mandate', { status, mandateId: renewing });
      }
      for (const _ of ['first', 'second']) {
        await reachInitialStatuses({
          ...{ life, deliveredUpTo: '2026-01-05' },
          isHeld: (id) => ![reminded, renewing].includes(id),
          signal: AbortSignal.abort(),
        }).catch(() => {});
      }
      const { signatureRequests } = await showMandate(life, reminded);
      const age = Date.now() - Date.parse(signatureRequests.at(-1)?.sentOn ?? expect.fail());
      expect(Math.floor(age / 86_400_000)).toBe(7);
      expect(daysUntilEnd(await showMandate(life, renewing))).toBe(10);
    });
  });
}
