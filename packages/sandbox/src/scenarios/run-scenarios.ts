import { type ErrorCode, operations } from '@adx/contract';
import type { ScenarioBody } from './descriptions.js';
import { type ScenarioContext, ScenarioRefusal } from './scenario-context.js';
import type { ScenarioRuns } from './scenario-server.js';

export function createScenarioRuns(context: ScenarioContext): ScenarioRuns {
  const { errors } = context;
  const inTurn = createTurns();
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
      const { bringMandateTo, openMandateContext } = await import('./mandates/mandate-scenario.js');
      return inTurn(body.mandateId, () => bringMandateTo(body, openMandateContext(context)));
    },
    async file(body) {
      const { sendFiles } = await import('./files/file-scenario.js');
      const { openMandateContext } = await import('./mandates/mandate-scenario.js');
      return inTurn(body.mandateId, () =>
        sendFiles(body, openMandateContext(context), context.settings),
      );
    },
    time: (body) => letTimePass(body, context),
  };
}

/**
 * Returns a function that does what concerns one mandate one after the other: two files at once
 * would have the same statement number. Without the id of a mandate, the work concerns a new one.
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
