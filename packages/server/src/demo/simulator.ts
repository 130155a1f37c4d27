import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { isUnavailable } from '../db/unavailable.js';
import { ApiError } from '../http/api-error.js';
import {
  createMandateDirectory,
  kindOf,
  type ListedMandate,
} from '../mandates/mandate-directory.js';
import { IllegalStep } from '../mandates/mandate-steps.js';
import { chooseMove, type Move } from './choose-move.js';
import { createDemoContacts } from './demo-contacts.js';
import { type DemoFirm, demoFirms } from './demo-firms.js';
import { type DeliverFile, makeMove } from './make-move.js';

export interface SimulatorOptions {
  readonly knex: Knex;
  readonly now: () => Date;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** How banks and providers send their first files; without it, they are only said to have. */
  readonly deliverFile?: DeliverFile;
}

/** Contacts, banks, payroll providers and time, as the demo plays them. */
export interface Simulator {
  /** Makes one move; what it was, or nothing when nothing could happen. */
  move(createdMs: number): Promise<Move | undefined>;
}

/** A simulator that makes its moves by itself. */
export interface RunningSimulator {
  /** Lets the move under way end, and makes no other. */
  stop(): Promise<void>;
}

/** Between two moves, in ms, at the start and at the most. */
const FIRST_PAUSE_MS = 4_000;
const LAST_PAUSE_MS = 60_000;

/** After so many moves a pause is twice as long as at the start. */
const SLOWING_MOVES = 100;

/** How many pauses a new request waits until it is sent: meanwhile its mandate is `created`. */
const CREATED_PAUSES = 30;

const numbersOf = (firms: readonly DemoFirm[]) =>
  new Set(firms.flatMap((firm) => firm.customers.map(({ request }) => request.enterpriseNumber)));
const seeded = numbersOf(demoFirms);
const ofFirstFirm = numbersOf(demoFirms.slice(0, 1));

/** Plays everybody whom the mandates of the demo wait for. */
export function createSimulator({
  knex,
  now,
  random,
  deliverFile = async () => false,
}: SimulatorOptions): Simulator {
  const directory = createMandateDirectory(knex);
  const contacts = createDemoContacts();
  return {
    async move(createdMs) {
      const mandates = await directory.list({ closed: false });
      const move = chooseMove(mandates.map(toSimulated), random);
      const mandate = mandates.find(({ id }) => id === move?.mandate.id);
      if (move === undefined || mandate === undefined) return undefined;
      await makeMove({ knex, contacts, now, createdMs, deliverFile }, mandate, move.trigger);
      return move;
    },
  };
}

/**
 * Moves the mandates of the demo until it is stopped: every few seconds at first, once a minute in a
 * demo that was left running, so that it does not fill its data folder with messages. Whatever stands
 * in the way of a move, as when the database is lost, the next one is tried all the same.
 */
export function startSimulator(
  options: SimulatorOptions & { readonly logger: Logger; readonly firstPauseMs?: number },
): RunningSimulator {
  const { logger, firstPauseMs = FIRST_PAUSE_MS } = options;
  const simulator = createSimulator(options);
  const stopping = new AbortController();

  async function goOn(): Promise<void> {
    for (let moves = 0; ; moves += 1) {
      const pause = Math.min(LAST_PAUSE_MS, firstPauseMs * (1 + moves / SLOWING_MOVES));
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        const move = await simulator.move(pause * CREATED_PAUSES);
        if (move !== undefined) {
          logger.debug({ mandate: move.mandate.id, trigger: move.trigger }, 'demo: moved');
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        const level = isExpected(error) ? 'debug' : 'warn';
        logger[level]({ err: error }, 'demo: a move did not succeed');
      }
    }
  }

  const going = goOn();
  return {
    stop() {
      stopping.abort();
      return going;
    },
  };
}

/** Someone else was quicker, or the database is away. */
function isExpected(error: unknown): boolean {
  return error instanceof IllegalStep || error instanceof ApiError || isUnavailable(error);
}

function toSimulated(mandate: ListedMandate) {
  return {
    id: mandate.id,
    kind: kindOf(mandate),
    status: mandate.status,
    requestId: mandate.signatureRequestId,
    isSeeded: seeded.has(mandate.enterpriseNumber),
    isInFirstFirm: ofFirstFirm.has(mandate.enterpriseNumber),
  };
}
