import { type ErrorCode, operations } from '@adx/contract';
import pLimit, { type LimitFunction } from 'p-limit';
import type { MandateLife } from '../demo/mandate-life.js';
import { type ElapsedTime, openHeldMandates } from '../kept-state.js';
import { createOperator } from '../operator.js';
import { ScenarioRefusal } from '../scenario-refusal.js';
import type { ServiceSettings } from '../settings-file.js';
import type { ArmedErrors } from './armed-errors.js';
import type { ScenarioRuns } from './scenario-app.js';

export function createScenarioRuns(
  dataDir: string,
  settings: ServiceSettings,
  elapsed: ElapsedTime,
  errors: ArmedErrors,
): ScenarioRuns {
  const operator = createOperator(settings);
  const held = openHeldMandates(dataDir);
  const turns = new Map<string, LimitFunction>();
  /** Two files at once for one mandate would have the same statement number. */
  const inTurn = <Result>(mandateId: string | undefined, work: () => Promise<Result>) => {
    // Without an id, the mandate is a new one.
    if (mandateId === undefined) return work();
    const turn = turns.get(mandateId) ?? pLimit(1);
    turns.set(mandateId, turn);
    return turn(work);
  };
  let life: MandateLife | undefined;
  const mandates = async () => {
    const { openMandateLife } = await import('../demo/mandate-life.js');
    life ??= openMandateLife(dataDir, settings, operator);
    return { life, held };
  };
  return {
    async error(body) {
      const documented: readonly ErrorCode[] =
        body.operation === undefined ? [body.code] : operations[body.operation].errors;
      if (!documented.includes(body.code)) {
        throw new ScenarioRefusal(
          `${body.operation} does not answer ${body.code}. Its errors: ${documented.join(', ')}`,
        );
      }
      const { code, operationIds, left } = errors.arm(body);
      return { code, calls: left, operations: operationIds };
    },
    async mandate(body) {
      // This is loaded here, because it takes half a second, and few sandboxes need it.
      const { bringMandateTo } = await import('./mandate-scenario.js');
      return inTurn(body.mandateId, async () => bringMandateTo(body, await mandates()));
    },
    async file(body) {
      const { sendFiles } = await import('./files/file-scenario.js');
      return inTurn(body.mandateId, async () => sendFiles(body, await mandates(), settings));
    },
    async time({ days, hours, minutes, seconds }) {
      const passed = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
      if (passed === 0) {
        throw new ScenarioRefusal('Say how much time passes, in days, hours, minutes or seconds');
      }
      await elapsed.pass(passed * 1000, () => operator.letAllTimePass(passed));
      return { seconds: passed };
    },
  };
}
