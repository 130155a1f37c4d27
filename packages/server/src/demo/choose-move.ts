import type { MandateStatus } from '@adx/contract';
import { type MandateKind, nextStatus, type Trigger } from '../mandates/lifecycle.js';

/** A mandate that is not closed, as the simulator sees it. */
export interface SimulatedMandate {
  readonly id: string;
  readonly kind: MandateKind;
  readonly status: MandateStatus;
  /** The latest request to sign it. */
  readonly requestId: string | undefined;
  /** Whether its customer came with the demo, and was not created by who tries it out. */
  readonly isSeeded: boolean;
  /** Whether its firm is the one whose login is printed. */
  readonly isInFirstFirm: boolean;
}

/** What somebody does in the demo. `linked`: the firm enters the account or the provider once more. */
export type MoveTrigger = Exclude<Trigger, 'requestSent'>;

/** A mandate, and what happens to it. */
export interface Move {
  readonly trigger: MoveTrigger;
  readonly mandate: SimulatedMandate;
}

/** How likely each is beside the others. */
const weights: Readonly<Record<MoveTrigger, number>> = {
  signed: 8,
  declined: 1,
  signingPeriodEnded: 1,
  deliveryFailed: 0.5,
  bankConfirmed: 6,
  bankRefused: 1,
  providerRefused: 1,
  fileReceived: 4,
  validityEnded: 0.5,
  requested: 2,
  linked: 0.3,
};
const triggers = Object.keys(weights) as MoveTrigger[];

/** What banks and providers do for everyone who tries out the demo; refusing is left to the operator. */
const ofOthers: readonly MoveTrigger[] = ['bankConfirmed', 'fileReceived'];

/** One answer or one message is for every mandate of its request. */
const ofRequest: readonly MoveTrigger[] = [
  ...(['signed', 'declined', 'signingPeriodEnded', 'deliveryFailed'] as const),
];

/** Statuses that nothing leads out of but beginning anew. */
const ends: readonly MandateStatus[] = ['finished', 'rejectedByBank', 'rejectedByPayrollProvider'];

/**
 * Chooses what happens next. Customers that were not seeded are left alone but for their banks and
 * providers, which answer them soon. Of the seeded ones of the first firm no status of a product is ever
 * emptied, and one that is empty is filled first: whoever takes the printed login finds all of them.
 *
 * @param random - from 0 up to 1
 * @returns nothing when nothing can happen
 */
export function chooseMove(
  mandates: readonly SimulatedMandate[],
  random: () => number,
): Move | undefined {
  const moves = mandates.flatMap((mandate) => movesOf(mandate));
  const awaited = moves.filter(({ mandate }) => !mandate.isSeeded);
  if (awaited.length > 0 && random() < 0.5) return pick(awaited, random);
  const shown = mandates.filter(({ isSeeded, isInFirstFirm }) => isSeeded && isInFirstFirm);
  const numbers = count(shown);
  const allowed = moves.filter((move) => move.mandate.isSeeded && !empties(move, shown, numbers));
  const filling = allowed.filter(({ mandate, trigger }) => {
    const to = mandate.isInFirstFirm ? statusAfter(mandate, trigger) : undefined;
    return to !== undefined && !numbers.has(placeOf(mandate.kind, to));
  });
  return pick(filling.length > 0 ? filling : allowed, random);
}

function movesOf(mandate: SimulatedMandate): Move[] {
  return triggers
    .filter((trigger) => statusAfter(mandate, trigger) !== undefined)
    .filter((trigger) => mandate.isSeeded || ofOthers.includes(trigger))
    .map((trigger) => ({ trigger, mandate }));
}

function statusAfter(
  { kind, status }: SimulatedMandate,
  trigger: MoveTrigger,
): MandateStatus | undefined {
  if (trigger === 'linked') {
    return ends.includes(status) && kind !== 'lightConnector' ? 'created' : undefined;
  }
  // The message is not on its way yet, so it cannot come back.
  if (trigger === 'deliveryFailed' && status === 'created') return undefined;
  // Files come after the bank has confirmed: both can be seen.
  if (trigger === 'fileReceived' && status === 'waitingForBank') return undefined;
  return nextStatus(kind, status, trigger);
}

/** Whether a move would leave nothing in a status that something is in. */
function empties(
  { trigger, mandate }: Move,
  shown: readonly SimulatedMandate[],
  numbers: ReadonlyMap<string, number>,
): boolean {
  const moved = shown.filter(
    ({ id, requestId, status }) =>
      id === mandate.id ||
      (ofRequest.includes(trigger) && requestId === mandate.requestId && status === mandate.status),
  );
  return [...count(moved)].some(([place, number]) => numbers.get(place) === number);
}

function count(mandates: readonly SimulatedMandate[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { kind, status } of mandates) {
    const place = placeOf(kind, status);
    numbers.set(place, (numbers.get(place) ?? 0) + 1);
  }
  return numbers;
}

function placeOf(kind: MandateKind, status: MandateStatus): string {
  return `${kind === 'codb' ? 'CODB' : 'CODA'} ${status}`;
}

function pick(moves: readonly Move[], random: () => number): Move | undefined {
  const total = moves.reduce((sum, { trigger }) => sum + weights[trigger], 0);
  let left = random() * total;
  return moves.find(({ trigger }) => {
    left -= weights[trigger];
    return left < 0;
  });
}
