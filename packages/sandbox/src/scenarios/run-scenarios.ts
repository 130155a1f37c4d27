import type { Operator } from '../operator.js';
import type { ArmedErrors } from './armed-errors.js';
import type { ScenarioBody } from './descriptions.js';
import type { ElapsedTime } from './elapsed-time.js';
import { ScenarioRefusal } from './scenario-refusal.js';
import type { ScenarioRuns } from './scenario-server.js';

/** The sandbox in which scenarios are done. */
export interface ScenarioContext {
  readonly errors: ArmedErrors;
  readonly elapsed: ElapsedTime;
  readonly operator: Operator;
}

export function createScenarioRuns(context: ScenarioContext): ScenarioRuns {
  const { errors } = context;
  return {
    async error(body) {
      const { code, operationIds, left } = errors.arm(body);
      return { code, calls: left, operations: operationIds };
    },
    time: (body) => letTimePass(body, context),
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
