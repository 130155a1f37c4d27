import { type DemoState, writeDemoState } from '../src/demo/demo-state.js';
import { createFirms } from '../src/demo/seed-demo.js';
import { createOperator, type Operator } from '../src/operator.js';
import type { Settings } from '../src/settings-file.js';

/**
 * Creates the firms and users of the demo in an empty sandbox that runs, without customers: they
 * take most of the CPU time of the demo, and would move by themselves.
 */
export async function createFirmsOfDemo(
  dataDir: string,
  settings: Settings,
): Promise<{ operator: Operator; demo: DemoState }> {
  const operator = createOperator(settings);
  const done = { isCreated: true, isComplete: true, deliveredUpTo: '2026-01-01' };
  const demo = { ...(await createFirms(operator)), ...done };
  await writeDemoState(dataDir, demo);
  return { operator, demo };
}
