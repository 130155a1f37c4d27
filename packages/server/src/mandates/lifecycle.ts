import type { MandateStatus, Product } from '@adx/contract';

/**
 * A mandate is for an account at the bank or through a light connector, or for payroll files. It is
 * contested if another firm ever had the account or enterprise number, or something was delivered
 * for it before. Its signature may be that of a contact whom the firm chose, so only the bank or
 * provider can confirm it (D-66).
 */
export type MandateKind = UncontestedKind | `contested ${UncontestedKind}`;

export type UncontestedKind = 'coda' | 'lightConnector' | 'codb';

export interface KindColumns {
  readonly product: Product;
  readonly connectorId: number | null;
  readonly isContested: boolean;
}

const kindsOf: Readonly<Record<Product, (connectorId: number | null) => UncontestedKind>> = {
  CODA: (connectorId) => (connectorId === null ? 'coda' : 'lightConnector'),
  CODB: () => 'codb',
};

export function kindOf({ product, connectorId, isContested }: KindColumns): MandateKind {
  const kind = kindsOf[product](connectorId);
  return isContested ? `contested ${kind}` : kind;
}

/** Returns true for a consent: the mandate of an account with a light connector. */
export function isConsent(kind: MandateKind): boolean {
  return consent.includes(kind);
}

/** The statuses of a `finished` consent whose renewal was offered. */
type RenewalStatus = 'renewalOffered' | 'renewalDeclined' | 'renewalUndeliverable';

/** A status of the lifecycle. The interface shows a renewal status as `finished`. */
export type LifecycleStatus = MandateStatus | RenewalStatus;

export function isRenewalStatus(status: LifecycleStatus): status is RenewalStatus {
  return status.startsWith('renewal') && status !== 'renewalRequired';
}

export function shownStatus(status: LifecycleStatus): MandateStatus {
  return isRenewalStatus(status) ? 'finished' : status;
}

/** Describes a status by the names of the interface. */
export function describeStatus(status: LifecycleStatus): string {
  return isRenewalStatus(status) ? `finished (renewal ${shownRenewals[status]})` : status;
}

/** How the interface shows the renewal of a `finished` consent. */
export const shownRenewals = {
  renewalOffered: 'offered',
  renewalDeclined: 'declined',
  renewalUndeliverable: 'undeliverable',
} as const satisfies Readonly<Record<RenewalStatus, string>>;

/** SQL: the lifecycle status of a mandate `m`. */
export const lifecycleStatusSql =
  "case m.status when 'finished' then coalesce(m.renewal_status, m.status) else m.status end";

export type Trigger =
  | 'linked'
  | 'requestSent'
  | 'deliveryFailed'
  | 'signed'
  | 'declined'
  | 'signingPeriodEnded'
  | 'bankConfirmed'
  | 'bankRefused'
  | 'providerRefused'
  | 'fileReceived'
  | 'renewalOffered'
  | 'validityEnded'
  | 'requested';

export interface Transition {
  /** `none` for a new mandate. */
  readonly from: LifecycleStatus | 'none';
  readonly trigger: Trigger;
  readonly to: LifecycleStatus;
  readonly kinds: readonly MandateKind[];
  /** The transition requires a supported bank or provider, or (false) one that is not. */
  readonly isSupported?: boolean;
}

/** The signing period of a signature request, in days. */
export const signingPeriodDays = 30;

/** The days after the message to an address on which its contact is reminded of it (D-25). */
export const reminderDays = [7, 14, 25] as const;

/** The validity of a light connector's consent after it is signed, in days. */
export const validityDays = 180;

/** How many days before a consent ends its renewal is offered. */
export const renewalDays = 14;

const bank: readonly MandateKind[] = ['coda', 'contested coda'];
const consent: readonly MandateKind[] = ['lightConnector', 'contested lightConnector'];
const payroll: readonly MandateKind[] = ['codb', 'contested codb'];
const every = [...bank, ...consent, ...payroll];
const confirmedConsent: readonly MandateKind[] = ['contested lightConnector'];
const atBank = [...bank, ...confirmedConsent];

/** All transitions of mandates (§3, D-24). */
export const lifecycle: readonly Transition[] = [
  { from: 'none', trigger: 'linked', to: 'created', kinds: every, isSupported: true },
  { from: 'none', trigger: 'linked', to: 'unsupportedBank', kinds: bank, isSupported: false },
  {
    from: 'none',
    trigger: 'linked',
    to: 'unsupportedPayrollProvider',
    kinds: payroll,
    isSupported: false,
  },

  { from: 'created', trigger: 'requestSent', to: 'waitingForSigner', kinds: every },
  { from: 'created', trigger: 'deliveryFailed', to: 'error', kinds: every },

  { from: 'waitingForSigner', trigger: 'signed', to: 'waitingForBank', kinds: atBank },
  { from: 'waitingForSigner', trigger: 'signed', to: 'finished', kinds: ['lightConnector'] },
  { from: 'waitingForSigner', trigger: 'signed', to: 'waitingForPayrollProvider', kinds: payroll },
  { from: 'waitingForSigner', trigger: 'declined', to: 'rejectedBySigner', kinds: every },
  { from: 'waitingForSigner', trigger: 'signingPeriodEnded', to: 'expired', kinds: every },
  // The message was returned later, or could not be sent to a new address of the contact (D-24).
  { from: 'waitingForSigner', trigger: 'deliveryFailed', to: 'error', kinds: every },

  { from: 'waitingForBank', trigger: 'bankConfirmed', to: 'confirmedByBank', kinds: bank },
  { from: 'waitingForBank', trigger: 'bankConfirmed', to: 'finished', kinds: confirmedConsent },
  { from: 'waitingForBank', trigger: 'bankRefused', to: 'rejectedByBank', kinds: atBank },
  { from: 'waitingForBank', trigger: 'fileReceived', to: 'finished', kinds: atBank },
  { from: 'confirmedByBank', trigger: 'fileReceived', to: 'finished', kinds: bank },

  {
    from: 'waitingForPayrollProvider',
    trigger: 'providerRefused',
    to: 'rejectedByPayrollProvider',
    kinds: payroll,
  },
  { from: 'waitingForPayrollProvider', trigger: 'fileReceived', to: 'finished', kinds: payroll },

  { from: 'finished', trigger: 'renewalOffered', to: 'renewalOffered', kinds: consent },
  { from: 'renewalOffered', trigger: 'signed', to: 'finished', kinds: consent },
  { from: 'renewalOffered', trigger: 'declined', to: 'renewalDeclined', kinds: consent },
  { from: 'renewalOffered', trigger: 'deliveryFailed', to: 'renewalUndeliverable', kinds: consent },
  { from: 'renewalDeclined', trigger: 'requested', to: 'renewalOffered', kinds: consent },
  { from: 'renewalUndeliverable', trigger: 'requested', to: 'renewalOffered', kinds: consent },

  { from: 'finished', trigger: 'validityEnded', to: 'renewalRequired', kinds: consent },
  { from: 'renewalOffered', trigger: 'validityEnded', to: 'renewalRequired', kinds: consent },
  { from: 'renewalDeclined', trigger: 'validityEnded', to: 'renewalRequired', kinds: consent },
  { from: 'renewalUndeliverable', trigger: 'validityEnded', to: 'renewalRequired', kinds: consent },

  { from: 'expired', trigger: 'requested', to: 'created', kinds: every },
  { from: 'rejectedBySigner', trigger: 'requested', to: 'created', kinds: every },
  { from: 'renewalRequired', trigger: 'requested', to: 'created', kinds: consent },
  { from: 'error', trigger: 'requested', to: 'created', kinds: every },
];

export function nextStatus(
  kind: MandateKind,
  from: LifecycleStatus,
  trigger: Trigger,
): LifecycleStatus | undefined {
  return lifecycle.find(
    (each) => each.from === from && each.trigger === trigger && each.kinds.includes(kind),
  )?.to;
}

export function requestableStatuses(kind: MandateKind): LifecycleStatus[] {
  return lifecycle.flatMap(({ from, trigger, kinds }) =>
    trigger === 'requested' && from !== 'none' && kinds.includes(kind) ? [from] : [],
  );
}

/** The statuses before an answer. The mail of `created` may be sent, but not recorded yet. */
export const unansweredStatuses: readonly LifecycleStatus[] = [
  'created',
  'waitingForSigner',
  'renewalOffered',
];

export const unsignedStatuses: readonly MandateStatus[] = [
  ...(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'error'] as const),
  ...(['unsupportedBank', 'unsupportedPayrollProvider'] as const),
];

export const refusedStatuses: readonly MandateStatus[] = [
  'rejectedByBank',
  'rejectedByPayrollProvider',
];

/** The statuses of a mandate that is signed and has neither ended nor been refused. */
export const signedStatuses: ReadonlySet<MandateStatus> = new Set([
  'waitingForBank',
  'confirmedByBank',
  'waitingForPayrollProvider',
  'finished',
]);

/**
 * Returns true if deliveries may be listed: the mandate is signed and has not ended (D-28), and if
 * it is contested, the bank or provider confirmed it (D-66).
 */
export function permitsDeliveries(kind: MandateKind, status: LifecycleStatus): boolean {
  if (!signedStatuses.has(shownStatus(status))) return false;
  return !(kind.startsWith('contested') && status.startsWith('waitingFor'));
}

export function firstStatus(kind: MandateKind, isSupported: boolean): LifecycleStatus {
  const transition = lifecycle.find(
    ({ from, kinds, isSupported: required }) =>
      from === 'none' && kinds.includes(kind) && required === isSupported,
  );
  if (transition === undefined) throw new Error(`A ${kind} mandate has no first status`);
  return transition.to;
}
