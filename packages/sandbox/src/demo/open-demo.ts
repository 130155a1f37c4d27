import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { openHeldMandates } from '../kept-state.js';
import { type ListedMandate, type Operator, reasonOf } from '../operator.js';
import { ownCalls } from '../settings-file.js';
import type { RunningSandbox } from '../start-sandbox.js';
import { deliverDays, deliverFirstFiles, firstDeliveredUpTo } from './deliver-files.js';
import { type DemoState, demoFile, readDemoState, writeDemoState } from './demo-state.js';
import { demoFacts } from './facts.js';
import type { Shell } from './first-call.js';
import { reachInitialStatuses } from './initial-statuses.js';
import { openMandateLife } from './mandate-life.js';
import { moveMandates } from './move-mandates.js';
import { clientsOf, createCustomers, createFirms, replaceRefusedKeys } from './seed-demo.js';

type Report = (event: string) => void;

/** The pause before another attempt to complete the demo, in ms. */
const pauseMs = 5_000;

/** @throws Error in one sentence if the database has other firms, or only a part of the demo */
export async function openDemo(sandbox: RunningSandbox, dataDir: string, shell: Shell) {
  const { url, operator, logFile } = sandbox;
  const ownUrl = url + ownCalls;
  let state = (await readDemoState(dataDir)) ?? (await seedDemo(operator, dataDir, ownUrl));
  if (!state.isCreated) {
    throw new Error(
      `The demo in ${dataDir} was interrupted while it was created: delete the folder, or choose another with --data`,
    );
  }
  const isHeld = openHeldMandates(dataDir).has;
  const life = openMandateLife(dataDir, sandbox.settings, operator);
  const save = async (change: Partial<DemoState>) => {
    state = { ...state, ...change };
    await writeDemoState(dataDir, state);
  };
  await save(await replaceRefusedKeys(operator, ownUrl, state));
  return {
    facts: demoFacts(
      url,
      state,
      { credentials: demoFile(dataDir), mail: life.mailFolder, log: logFile },
      shell,
    ),
    /** Brings the mandates to the statuses that the demo starts with. */
    async complete(report: Report, signal: AbortSignal) {
      const { deliveredUpTo } = state;
      const initial = { life, deliveredUpTo, isHeld, signal };
      while (!state.isComplete) {
        try {
          await reachInitialStatuses(initial);
          await save({ isComplete: true });
          report('The demo is complete: it has a mandate in every status');
        } catch (error) {
          if (signal.aborted) return;
          // A visitor was faster, or the database is down: the next attempt continues from there.
          report(`The demo is not complete yet: ${reasonOf(error)}`);
          await sleep(pauseMs, undefined, { signal }).catch(() => {});
        }
      }
    },
    /** Moves mandates and delivers files until the signal aborts. */
    async simulate(report: Report, signal: AbortSignal) {
      // Only one delivery runs at a time: a mandate with its first files would miss one day.
      const inTurn = pLimit(1);
      const deliverFirst = (mandate: ListedMandate) =>
        inTurn(() => deliverFirstFiles(operator, [mandate], state.deliveredUpTo));
      await Promise.all([
        moveMandates({ life, isHeld, deliverFirst, report, signal }),
        deliverDays({ operator, isHeld, inTurn, report, signal }, state.deliveredUpTo, (day) =>
          save({ deliveredUpTo: day }),
        ),
      ]);
    },
  };
}

async function seedDemo(operator: Operator, dataDir: string, url: string): Promise<DemoState> {
  const firms = await operator.run<unknown[]>(['firm', 'list']);
  if (firms.length > 0) {
    throw new Error(
      `The database in ${dataDir} has firms of your own: start with --empty, or choose another folder with --data`,
    );
  }
  const unfinished = {
    apiKey: '',
    ownApiKey: '',
    passwords: {},
    deliveredUpTo: firstDeliveredUpTo(),
    isCreated: false,
    isComplete: false,
  };
  await writeDemoState(dataDir, unfinished);
  const credentials = await createFirms(operator);
  await createCustomers(operator, clientsOf(url, credentials));
  const state = { ...unfinished, ...credentials, isCreated: true };
  await writeDemoState(dataDir, state);
  return state;
}
