import type { MandateStatus, Product } from '@adx/client';

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

/** The kinds of mandates: a signature leads each to another status (D-24). */
export type MandateKind = (typeof kindsOf)[Product][number];

/** The kinds of mandates of each product, the usual one first. */
export const kindsOf = {
  CODA: ['coda', 'lightConnector'],
  CODB: ['codb'],
} as const satisfies Readonly<Record<Product, readonly string[]>>;

export const products = Object.keys(kindsOf) as readonly Product[];

/**
 * The event before a status, the statuses before that, and its kinds of mandates; by default all.
 */
type Way = readonly [event: LifeEvent, from: readonly MandateStatus[], kind?: MandateKind];

/** The kind of a new mandate that is to have a status, and the ways to it. */
interface Ways {
  readonly newKind: MandateKind;
  /** None if a mandate has the status from the beginning or never. */
  readonly ways: readonly Way[];
}

const ways = (newKind: MandateKind, ...ways: readonly Way[]): Ways => ({ newKind, ways });

export const waysTo: Readonly<Record<MandateStatus, Ways>> = {
  created: ways('coda', [
    'requestedAgain',
    ['expired', 'rejectedBySigner', 'renewalRequired', 'error'],
  ]),
  waitingForSigner: ways('coda', ['messageSent', ['created']]),
  expired: ways('coda', ['daysPass', ['waitingForSigner']]),
  rejectedBySigner: ways('coda', ['declined', ['waitingForSigner']]),
  error: ways('coda', ['deliveryFailed', ['waitingForSigner']]),
  waitingForBank: ways('coda', ['signed', ['waitingForSigner'], 'coda']),
  confirmedByBank: ways('coda', ['bankConfirmed', ['waitingForBank']]),
  rejectedByBank: ways('coda', ['bankRefused', ['waitingForBank']]),
  waitingForPayrollProvider: ways('codb', ['signed', ['waitingForSigner'], 'codb']),
  rejectedByPayrollProvider: ways('codb', ['providerRefused', ['waitingForPayrollProvider']]),
  finished: ways(
    'coda',
    ['firstFile', ['confirmedByBank', 'waitingForBank', 'waitingForPayrollProvider']],
    ['signed', ['waitingForSigner'], 'lightConnector'],
  ),
  renewalRequired: ways('lightConnector', ['daysPass', ['finished'], 'lightConnector']),
  unsupportedBank: ways('coda'),
  unsupportedPayrollProvider: ways('codb'),
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
        ([, before, only = kind]) => before.includes(end) && only === kind,
      );
      if (way === undefined || seen.has(next)) continue;
      seen.add(next);
      paths.push({ end: next, events: [...events, way[0]] });
    }
  }
  return undefined;
}
