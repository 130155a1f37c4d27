import type { MandateStatus } from '@adx/contract';
import { describe, expect, test } from 'vitest';
import { chooseMove, type Move, type SimulatedMandate } from '../../src/demo/choose-move.js';
import { type MandateKind, nextStatus } from '../../src/mandates/lifecycle.js';
import { seededRandom } from '../support/seeded-random.js';
import { codaStatuses, codbStatuses } from './statuses.js';

const random = seededRandom(20261121);

let mandates = 0;
function mandate(
  kind: MandateKind,
  status: string,
  { isSeeded = true, isInFirstFirm = true, requestId = undefined as string | undefined } = {},
): SimulatedMandate {
  mandates += 1;
  const id = `m${mandates}`;
  return {
    ...{ id, kind, isSeeded, isInFirstFirm },
    ...{ status: status as MandateStatus, requestId: requestId ?? `r${id}` },
  };
}

/** Two of each status of §3. */
const everywhere = (): SimulatedMandate[] =>
  [1, 2].flatMap(() => [
    ...codaStatuses.map((status) =>
      mandate(status === 'renewalRequired' ? 'lightConnector' : 'coda', status),
    ),
    mandate('lightConnector', 'finished'),
    ...codbStatuses.map((status) => mandate('codb', status)),
  ]);

const triggersOf = (moves: readonly (Move | undefined)[]) =>
  [...new Set(moves.map((move) => move?.trigger))].sort();

/** What is chosen of the same mandates, many times. */
const choices = (of: readonly SimulatedMandate[], next = random) =>
  Array.from({ length: 300 }, () => chooseMove(of, next));

describe('demo: what happens next', () => {
  test('§3 for thousands of moves every step is one of the lifecycle, and every status keeps occurring', () => {
    let now = [...everywhere(), ...everywhere()];
    const seen = new Map<string, number>();
    for (let i = 0; i < 3_000; i += 1) {
      // What is created is sent, sooner or later.
      now = now.map((each) =>
        each.status === 'created' && random() < 0.05
          ? { ...each, status: 'waitingForSigner' }
          : each,
      );
      const move = chooseMove(now, random);
      if (move !== undefined) now = after(now, move);
      seen.set(move?.trigger ?? 'none', (seen.get(move?.trigger ?? 'none') ?? 0) + 1);
      const left = (kinds: MandateKind[]) =>
        [...new Set(now.filter(({ kind }) => kinds.includes(kind)).map(({ status }) => status))]
          .filter((status) => status !== 'created')
          .sort();
      expect(left(['coda', 'lightConnector'])).toEqual(codaStatuses.filter(notCreated));
      expect(left(['codb'])).toEqual(codbStatuses.filter(notCreated));
    }
    expect([...seen.keys()].filter((trigger) => trigger !== 'none')).toHaveLength(11);
    expect(seen.get('none') ?? 0).toBeLessThan(30);
  });

  test('demo: a status that is empty is filled first', () => {
    const moves = choices(everywhere().filter(notInCreated));
    expect(triggersOf(moves)).toEqual(['linked', 'requested']);
  });

  test('demo: what another firm has does not count: the printed login shows every status', () => {
    const last = mandate('coda', 'error');
    const elsewhere = mandate('coda', 'error', { isInFirstFirm: false });
    // The one of the firm has to stay, and takes nothing from the other.
    const moved = choices([last, elsewhere]).map((move) => move?.mandate.id);
    expect(new Set(moved)).toEqual(new Set([elsewhere.id]));
    // And a status that only another firm has is empty.
    const finished = [1, 2].map(() => mandate('codb', 'finished'));
    const others = ['created', 'rejectedBySigner', 'rejectedBySigner'].map((status) =>
      mandate('codb', status, { isInFirstFirm: false }),
    );
    const filling = choices([...finished, ...others]).map((move) => move?.mandate.status);
    expect(new Set(filling)).toEqual(new Set(['finished']));
  });

  test('demo: one answer counts for all that its request asked for', () => {
    const requestId = 'r';
    const waiting = [
      mandate('coda', 'waitingForSigner', { requestId }),
      mandate('codb', 'waitingForSigner', { requestId }),
      mandate('coda', 'waitingForSigner'),
      mandate('coda', 'waitingForSigner'),
    ];
    // Signing for the first would leave no CODB mandate that waits.
    const moved = choices(waiting).map((move) => move?.mandate.requestId);
    expect(moved).not.toContain(requestId);
  });

  test("demo: nobody signs, declines or asks for one's own customer; bank and provider answer", () => {
    const own = [...codaStatuses, ...codbStatuses].flatMap((status) => {
      const isCodb = status.endsWith('PayrollProvider');
      const kind = status === 'renewalRequired' ? 'lightConnector' : isCodb ? 'codb' : 'coda';
      return mandate(kind, status, { isSeeded: false });
    });
    const moves = choices(own).filter((move) => move !== undefined);
    expect(triggersOf(moves)).toEqual(['bankConfirmed', 'fileReceived']);
    expect(new Set(moves.map((move) => move.mandate.status))).toEqual(
      new Set(['waitingForBank', 'confirmedByBank', 'waitingForPayrollProvider']),
    );
  });

  test('demo: where nothing can happen, nothing does', () => {
    expect(chooseMove([], random)).toBeUndefined();
    expect(choices([mandate('coda', 'unsupportedBank'), mandate('codb', 'created')])).toEqual(
      Array(300).fill(undefined),
    );
  });
});

const answers = ['signed', 'declined', 'signingPeriodEnded', 'deliveryFailed'];

/** The mandates when a move is made. */
function after(before: readonly SimulatedMandate[], { mandate: moved, trigger }: Move) {
  const isMoved = ({ id, requestId }: SimulatedMandate) =>
    id === moved.id || (answers.includes(trigger) && requestId === moved.requestId);
  return before.map((each) => {
    if (!isMoved(each)) return each;
    const status = trigger === 'linked' ? 'created' : nextStatus(each.kind, each.status, trigger);
    return { ...each, status: status ?? expect.fail(`${each.status} has no step ${trigger}`) };
  });
}

function notInCreated({ status }: SimulatedMandate): boolean {
  return notCreated(status);
}

function notCreated(status: string): boolean {
  return status !== 'created';
}
