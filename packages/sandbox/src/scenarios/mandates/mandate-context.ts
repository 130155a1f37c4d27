import type { Client } from '@adx/client';
import { readDemoState } from '../../demo/demo-state.js';
import { demoFirms } from '../../demo/firms.js';
import { clientsOf } from '../../demo/seed-demo.js';
import type { ScenarioContext } from '../scenario-context.js';
import type { MandateContext } from './mandate-scenario.js';

/** Returns what scenarios need to act as the firms and contacts of a sandbox. */
export function openMandateContext(context: ScenarioContext): MandateContext {
  const { url, dataDir, mailFolder, settings, operator, heldMandates } = context;
  const { DATABASE_URL: databaseUrl, PORT: port } = settings;
  // Behind the proxy, so that errors that were set are left for the caller.
  const readClients = async (): Promise<readonly Client[]> => {
    const state = await readDemoState(dataDir);
    return state === undefined ? [] : clientsOf(`http://127.0.0.1:${port}`, state);
  };
  return {
    held: heldMandates,
    demoClient: async () => (await readClients())[0],
    life: {
      ...{ operator, url, mailFolder, databaseUrl },
      async clientOf(firmId) {
        const firms = await operator.run<{ id: string; name: string }[]>(['firm', 'list']);
        const name = firms.find(({ id }) => id === firmId)?.name;
        return (await readClients())[demoFirms.findIndex((firm) => firm.name === name)];
      },
    },
  };
}
