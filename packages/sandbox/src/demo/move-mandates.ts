import { setTimeout as sleep } from 'node:timers/promises';
import type { MandateStatus } from '@adx/client';
import { type ListedMandate, reasonOf } from '../operator.js';
import { demoCustomers, demoFirms } from './firms.js';
import { daysBeforeEnd } from './initial-statuses.js';
import { daysUntilEnd, events, type MandateLife, showMandate } from './mandate-life.js';

interface Simulation {
  readonly life: MandateLife;
  readonly isHeld: (mandateId: string) => boolean;
  readonly deliverFirst: (mandate: ListedMandate) => Promise<void>;
  readonly report: (event: string) => void;
  readonly signal: AbortSignal;
}

/** The pause between two moves, at the start and at most, in ms. */
const firstPauseMs = 4_000;
const longestPauseMs = 60_000;
/** The number of moves after which the pause has doubled. */
const slowingMoves = 100;

const ofDemo = new Set(demoCustomers.map(({ enterpriseNumber }) => enterpriseNumber));
const firstFirm = new Set(demoFirms[0]?.customers.map(({ enterpriseNumber }) => enterpriseNumber));

export async function moveMandates(simulation: Simulation): Promise<void> {
  const { life, isHeld, report, signal } = simulation;
  for (let moves = 0; !signal.aborted; moves += 1) {
    const pause = Math.min(longestPauseMs, firstPauseMs * (1 + moves / slowingMoves));
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const mandates = await life.operator.run<ListedMandate[]>(['mandate', 'list']);
      const candidates = movableOf(mandates, isHeld);
      const mandate = candidates[Math.floor(Math.random() * candidates.length)];
      if (mandate !== undefined) await move(simulation, mandate);
    } catch (error) {
      // Someone else was faster, or the database is down: the next move may succeed.
      if (!signal.aborted) report(`A move failed: ${reasonOf(error)}`);
    }
  }
}

/** Returns those of which one moves next: those of visitors first, who wait for an answer. */
export function movableOf(
  all: readonly ListedMandate[],
  isHeld: Simulation['isHeld'],
): ListedMandate[] {
  const movable = all.filter((mandate) => isMovable(mandate, all, isHeld));
  const own = movable.filter(({ enterpriseNumber }) => !ofDemo.has(enterpriseNumber));
  return own.length > 0 ? own : movable;
}

/**
 * Returns true if the demo may move a mandate. Visitors act for the customers that they create. The
 * first firm keeps a mandate in each status, so that visitors can see all of them.
 */
function isMovable(
  mandate: ListedMandate,
  all: readonly ListedMandate[],
  isHeld: Simulation['isHeld'],
): boolean {
  const possible = moveOf(mandate);
  if (possible === undefined || isHeld(mandate.id)) return false;
  if (!ofDemo.has(mandate.enterpriseNumber)) return ['bank', 'deliver'].includes(possible);
  if (!firstFirm.has(mandate.enterpriseNumber)) return true;
  const others = all.filter(
    ({ product, status, enterpriseNumber }) =>
      product === mandate.product && status === mandate.status && firstFirm.has(enterpriseNumber),
  );
  // One message covers all mandates of a customer.
  return others.some(({ enterpriseNumber }) => enterpriseNumber !== mandate.enterpriseNumber);
}

type Move = 'answer' | 'bank' | 'deliver' | 'askAgain' | 'nearEnd';

const moves: Readonly<Partial<Record<MandateStatus, Move>>> = {
  waitingForSigner: 'answer',
  waitingForBank: 'bank',
  confirmedByBank: 'deliver',
  waitingForPayrollProvider: 'deliver',
  rejectedBySigner: 'askAgain',
  expired: 'askAgain',
  error: 'askAgain',
  renewalRequired: 'askAgain',
};

function moveOf(mandate: ListedMandate): Move | undefined {
  if (mandate.status !== 'finished' || !('validUntil' in mandate)) return moves[mandate.status];
  if (mandate.renewal !== undefined) return mandate.renewal === 'offered' ? 'answer' : 'askAgain';
  return 'nearEnd';
}

/** The shares of contacts who first let a week pass, sign only some mandates, or none. */
const shares = { late: 0.3, partly: 0.15, declined: 0.15 };

async function move(simulation: Simulation, { id }: ListedMandate): Promise<void> {
  const { life, deliverFirst, report } = simulation;
  const mandate = await showMandate(life, id);
  const { customerName, contact } = mandate;
  switch (moveOf(mandate)) {
    case 'answer': {
      if (mandate.status === 'waitingForSigner' && Math.random() < shares.late) {
        await life.operator.letTimePass([id], 7);
        return report(`A week has passed without an answer of ${contact?.name}`);
      }
      const draw = Math.random();
      const [answer, words] =
        draw < shares.declined
          ? (['declined', 'declined'] as const)
          : draw < shares.declined + shares.partly
            ? (['partlySigned', 'signed some mandates'] as const)
            : (['signed', 'signed'] as const);
      await events[answer](life, mandate, false);
      return report(`${contact?.name} has ${words} for ${customerName}`);
    }
    case 'bank': {
      const isConfirmed = Math.random() < 0.9;
      await events[isConfirmed ? 'bankConfirmed' : 'bankRefused'](life, mandate, false);
      const answered = isConfirmed ? 'confirmed' : 'refused';
      return report(`A bank has ${answered} the mandate of ${customerName}`);
    }
    case 'nearEnd':
      await life.operator.letTimePass([id], (daysUntilEnd(mandate) ?? 0) - daysBeforeEnd);
      return report(`The consent of ${customerName} ends in ${daysBeforeEnd} days`);
    case 'deliver':
      await deliverFirst(mandate);
      return report(`The first file of ${customerName} has arrived`);
    case 'askAgain':
      await events.requestedAgain(life, mandate, false);
      return report(`The firm has asked ${customerName} to sign again`);
  }
}
