import type { MandateStatus } from '@adx/contract';
import type {
  LifecycleStatus,
  MandateKind,
  Trigger,
  UncontestedKind,
} from '../../src/mandates/lifecycle.js';

/** The statuses of each product (§3). Only consents have `renewalRequired`. */
const uncontestedStatuses: Readonly<Record<UncontestedKind, readonly MandateStatus[]>> = {
  coda: [
    ...(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'waitingForBank'] as const),
    ...(['confirmedByBank', 'rejectedByBank', 'unsupportedBank', 'finished', 'error'] as const),
  ],
  lightConnector: [
    ...(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'waitingForBank'] as const),
    ...(['confirmedByBank', 'rejectedByBank', 'unsupportedBank', 'finished', 'error'] as const),
    'renewalRequired',
  ],
  codb: [
    ...(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'finished'] as const),
    ...(['waitingForPayrollProvider', 'rejectedByPayrollProvider'] as const),
    ...(['unsupportedPayrollProvider', 'error'] as const),
  ],
};

const contested = <Value>(uncontested: Readonly<Record<UncontestedKind, Value>>) => ({
  'contested coda': uncontested.coda,
  'contested lightConnector': uncontested.lightConnector,
  'contested codb': uncontested.codb,
});

export const statuses: Readonly<Record<MandateKind, readonly MandateStatus[]>> = {
  ...uncontestedStatuses,
  ...contested(uncontestedStatuses),
};

const renewalStatuses = ['renewalOffered', 'renewalDeclined', 'renewalUndeliverable'] as const;

/** The statuses of the interface, and those of a consent whose renewal was offered. */
export const everyStatus: readonly LifecycleStatus[] = [
  ...new Set(Object.values(statuses).flat()),
  ...renewalStatuses,
];

/** Returns the statuses that a mandate of a kind can have. */
export const lifecycleStatuses = (kind: MandateKind): readonly LifecycleStatus[] => [
  ...statuses[kind],
  ...(kind.endsWith('lightConnector') ? renewalStatuses : []),
];

export const everyTrigger: readonly Trigger[] = [
  ...(['linked', 'requestSent', 'deliveryFailed', 'signed', 'declined'] as const),
  ...(['signingPeriodEnded', 'bankConfirmed', 'bankRefused', 'providerRefused'] as const),
  ...(['fileReceived', 'validityEnded', 'requested'] as const),
  ...(['renewalOffered'] as const),
];

/** The next status for each `from trigger` (D-24). */
const ofAll: Readonly<Record<string, LifecycleStatus>> = {
  'created requestSent': 'waitingForSigner',
  'created deliveryFailed': 'error',
  'waitingForSigner deliveryFailed': 'error',
  'waitingForSigner declined': 'rejectedBySigner',
  'waitingForSigner signingPeriodEnded': 'expired',
  'expired requested': 'created',
  'rejectedBySigner requested': 'created',
  'error requested': 'created',
};

const uncontestedArrows: Readonly<
  Record<UncontestedKind, Readonly<Record<string, LifecycleStatus>>>
> = {
  coda: {
    ...ofAll,
    'waitingForSigner signed': 'waitingForBank',
    'waitingForBank bankConfirmed': 'confirmedByBank',
    'waitingForBank bankRefused': 'rejectedByBank',
    'waitingForBank fileReceived': 'finished',
    'confirmedByBank fileReceived': 'finished',
  },
  lightConnector: {
    ...ofAll,
    'waitingForSigner signed': 'finished',
    'finished renewalOffered': 'renewalOffered',
    'renewalOffered signed': 'finished',
    'renewalOffered declined': 'renewalDeclined',
    'renewalOffered deliveryFailed': 'renewalUndeliverable',
    'renewalDeclined requested': 'renewalOffered',
    'renewalUndeliverable requested': 'renewalOffered',
    'finished validityEnded': 'renewalRequired',
    'renewalOffered validityEnded': 'renewalRequired',
    'renewalDeclined validityEnded': 'renewalRequired',
    'renewalUndeliverable validityEnded': 'renewalRequired',
    'renewalRequired requested': 'created',
  },
  codb: {
    ...ofAll,
    'waitingForSigner signed': 'waitingForPayrollProvider',
    'waitingForPayrollProvider providerRefused': 'rejectedByPayrollProvider',
    'waitingForPayrollProvider fileReceived': 'finished',
  },
};

export const arrows: Readonly<Record<MandateKind, Readonly<Record<string, LifecycleStatus>>>> = {
  ...uncontestedArrows,
  ...contested(uncontestedArrows),
  'contested lightConnector': {
    ...uncontestedArrows.lightConnector,
    'waitingForSigner signed': 'waitingForBank',
    'waitingForBank bankConfirmed': 'finished',
    'waitingForBank bankRefused': 'rejectedByBank',
    'waitingForBank fileReceived': 'finished',
  },
};

export const kinds = Object.keys(statuses) as MandateKind[];
