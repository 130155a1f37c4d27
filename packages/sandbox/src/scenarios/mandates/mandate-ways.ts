import type { MandateStatus } from '@adx/client';

/** Something that happens to a mandate in life, and changes its status. */
export type LifeEvent =
  | 'messageSent'
  | 'signed'
  | 'declined'
  | 'daysPass'
  | 'deliveryFailed'
  | 'bankConfirmed'
  | 'bankRefused'
  | 'providerRefused'
  | 'firstFile'
  | 'requestedAgain';

/** The kinds of mandates, which the contact's signature leads to different statuses (D-24). */
export type MandateKind = 'coda' | 'lightConnector' | 'codb';

/** The status before a status, and what happens in between. */
interface Way {
  readonly from: readonly MandateStatus[];
  readonly event: LifeEvent;
  /** By default all. */
  readonly kinds?: readonly MandateKind[];
}

/** The ways to a status, and the kind of a new mandate that is to have it. */
interface Ways {
  readonly newKind: MandateKind;
  readonly ways: readonly Way[];
  /** Set if a mandate has it from the beginning or never. */
  readonly isFirst?: true;
}

/** How a mandate gets into each status. */
export const waysTo: Readonly<Record<MandateStatus, Ways>> = {
  created: {
    newKind: 'coda',
    ways: [
      {
        from: ['expired', 'rejectedBySigner', 'renewalRequired', 'error'],
        event: 'requestedAgain',
      },
    ],
  },
  waitingForSigner: { newKind: 'coda', ways: [{ from: ['created'], event: 'messageSent' }] },
  expired: { newKind: 'coda', ways: [{ from: ['waitingForSigner'], event: 'daysPass' }] },
  rejectedBySigner: { newKind: 'coda', ways: [{ from: ['waitingForSigner'], event: 'declined' }] },
  error: { newKind: 'coda', ways: [{ from: ['waitingForSigner'], event: 'deliveryFailed' }] },
  waitingForBank: {
    newKind: 'coda',
    ways: [{ from: ['waitingForSigner'], event: 'signed', kinds: ['coda'] }],
  },
  confirmedByBank: {
    newKind: 'coda',
    ways: [{ from: ['waitingForBank'], event: 'bankConfirmed' }],
  },
  rejectedByBank: { newKind: 'coda', ways: [{ from: ['waitingForBank'], event: 'bankRefused' }] },
  waitingForPayrollProvider: {
    newKind: 'codb',
    ways: [{ from: ['waitingForSigner'], event: 'signed', kinds: ['codb'] }],
  },
  rejectedByPayrollProvider: {
    newKind: 'codb',
    ways: [{ from: ['waitingForPayrollProvider'], event: 'providerRefused' }],
  },
  finished: {
    newKind: 'coda',
    ways: [
      {
        from: ['confirmedByBank', 'waitingForBank', 'waitingForPayrollProvider'],
        event: 'firstFile',
      },
      { from: ['waitingForSigner'], event: 'signed', kinds: ['lightConnector'] },
    ],
  },
  renewalRequired: {
    newKind: 'lightConnector',
    ways: [{ from: ['finished'], event: 'daysPass', kinds: ['lightConnector'] }],
  },
  unsupportedBank: { newKind: 'coda', ways: [], isFirst: true },
  unsupportedPayrollProvider: { newKind: 'codb', ways: [], isFirst: true },
};

const statuses = Object.keys(waysTo) as MandateStatus[];

/** Returns the fewest events that lead from one status to another; undefined if none do. */
export function findEvents(
  kind: MandateKind,
  from: MandateStatus,
  to: MandateStatus,
): readonly LifeEvent[] | undefined {
  const paths: { readonly end: MandateStatus; readonly events: readonly LifeEvent[] }[] = [
    { end: from, events: [] },
  ];
  const seen = new Set([from]);
  for (const { end, events } of paths) {
    if (end === to) return events;
    for (const next of statuses) {
      const way = waysTo[next].ways.find(
        (each) => each.from.includes(end) && (each.kinds?.includes(kind) ?? true),
      );
      if (way === undefined || seen.has(next)) continue;
      seen.add(next);
      paths.push({ end: next, events: [...events, way.event] });
    }
  }
  return undefined;
}
