import { type ErrorCode, operations } from '@adx/contract';
import type { MandateLife } from '../demo/mandate-life.js';
import type { ElapsedTime, HeldMandates } from '../kept-state.js';
import type { Operator } from '../operator.js';
import { ScenarioRefusal } from '../scenario-refusal.js';
import type { ServiceSettings } from '../settings-file.js';
import type { ArmedErrors } from './armed-errors.js';
import type { ScenarioBody } from './descriptions.js';
import type { ScenarioRuns } from './scenario-app.js';

/** The sandbox in which scenarios are done. */
interface ScenarioContext {
  readonly dataDir: string;
  readonly settings: ServiceSettings;
  readonly operator: Operator;
  readonly elapsed: ElapsedTime;
  readonly errors: ArmedErrors;
  readonly held: HeldMandates;
}

export function createScenarioRuns(context: ScenarioContext): ScenarioRuns {
  const { errors } = context;
  const inTurn = createTurns();
  let life: MandateLife | undefined;
  const mandates = async () => {
    const { openMandateLife } = await import('../demo/mandate-life.js');
    life ??= openMandateLife(context);
    return { life, held: context.held };
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
      // Loaded here, because it takes half a second, and few sandboxes need it.
      const { bringMandateTo } = await import('./mandate-scenario.js');
      return inTurn(body.mandateId, async () => bringMandateTo(body, await mandates()));
    },
    async file(body) {
      const { sendFiles } = await import('./files/file-scenario.js');
      return inTurn(body.mandateId, async () =>
        sendFiles(body, await mandates(), context.settings),
      );
    },
    time: (body) => letTimePass(body, context),
  };
}

/**
 * Returns a function that does one thing at a time to a mandate: two files at once would have the
 * same statement number. Without an id, the mandate is a new one.
 */
function createTurns() {
  const latest = new Map<string, Promise<unknown>>();
  return async <Result>(
    mandateId: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    if (mandateId === undefined) return work();
    const turn = (latest.get(mandateId) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {});
    latest.set(mandateId, ended);
    try {
      return await turn;
    } finally {
      if (latest.get(mandateId) === ended) latest.delete(mandateId);
    }
  };
}

async function letTimePass(
  { days, hours, minutes, seconds }: ScenarioBody<'time'>,
  { elapsed, operator }: ScenarioContext,
): Promise<object> {
  const passed = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  if (passed === 0) throw new ScenarioRefusal('Say how much time passes, for example {"hours": 2}');
  await elapsed.pass(passed * 1000, () => operator.letAllTimePass(passed));
  return { seconds: passed };
}
