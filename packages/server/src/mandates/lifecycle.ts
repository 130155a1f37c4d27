import type { MandateStatus } from '@adx/contract';

/** What a mandate is for: an account through the bank or through a light connector, or payroll files. */
export type MandateKind = 'coda' | 'lightConnector' | 'codb';

/** What happens to a mandate. */
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
  | 'validityEnded'
  | 'requested';

/** One arrow of the lifecycle. */
export interface Arrow {
  /** `none`: the mandate begins. */
  readonly from: MandateStatus | 'none';
  readonly trigger: Trigger;
  readonly to: MandateStatus;
  /** The kinds that have the arrow. */
  readonly kinds: readonly MandateKind[];
  /** Whether the bank or provider must be supported, or must not; absent where it does not matter. */
  readonly isSupported?: boolean;
}

/** How long a contact has to sign, in days. */
export const signingPeriodDays = 30;

/** How long a consent of a light connector is valid after it is signed, in days. */
export const validityDays = 180;

const every: readonly MandateKind[] = ['coda', 'lightConnector', 'codb'];
const bank: readonly MandateKind[] = ['coda'];
const consent: readonly MandateKind[] = ['lightConnector'];
const account: readonly MandateKind[] = ['coda', 'lightConnector'];
const payroll: readonly MandateKind[] = ['codb'];

/** The lifecycle of mandates (§3, D-24): what is not here does not happen. */
export const lifecycle: readonly Arrow[] = [
  { from: 'none', trigger: 'linked', to: 'created', kinds: every, isSupported: true },
  { from: 'none', trigger: 'linked', to: 'unsupportedBank', kinds: account, isSupported: false },
  {
    from: 'none',
    trigger: 'linked',
    to: 'unsupportedPayrollProvider',
    kinds: payroll,
    isSupported: false,
  },

  { from: 'created', trigger: 'requestSent', to: 'waitingForSigner', kinds: every },
  { from: 'created', trigger: 'deliveryFailed', to: 'error', kinds: every },

  { from: 'waitingForSigner', trigger: 'signed', to: 'waitingForBank', kinds: bank },
  { from: 'waitingForSigner', trigger: 'signed', to: 'finished', kinds: consent },
  { from: 'waitingForSigner', trigger: 'signed', to: 'waitingForPayrollProvider', kinds: payroll },
  { from: 'waitingForSigner', trigger: 'declined', to: 'rejectedBySigner', kinds: every },
  { from: 'waitingForSigner', trigger: 'signingPeriodEnded', to: 'expired', kinds: every },
  // A mail server that took the message may still return it later.
  { from: 'waitingForSigner', trigger: 'deliveryFailed', to: 'error', kinds: every },

  { from: 'waitingForBank', trigger: 'bankConfirmed', to: 'confirmedByBank', kinds: bank },
  { from: 'waitingForBank', trigger: 'bankRefused', to: 'rejectedByBank', kinds: bank },
  { from: 'waitingForBank', trigger: 'fileReceived', to: 'finished', kinds: bank },
  { from: 'confirmedByBank', trigger: 'fileReceived', to: 'finished', kinds: bank },

  {
    from: 'waitingForPayrollProvider',
    trigger: 'providerRefused',
    to: 'rejectedByPayrollProvider',
    kinds: payroll,
  },
  { from: 'waitingForPayrollProvider', trigger: 'fileReceived', to: 'finished', kinds: payroll },

  { from: 'finished', trigger: 'validityEnded', to: 'renewalRequired', kinds: consent },

  { from: 'expired', trigger: 'requested', to: 'created', kinds: every },
  { from: 'rejectedBySigner', trigger: 'requested', to: 'created', kinds: every },
  { from: 'renewalRequired', trigger: 'requested', to: 'created', kinds: consent },
  { from: 'error', trigger: 'requested', to: 'created', kinds: every },
];

/** Where the trigger leads a mandate in a status; nothing when it has no such arrow. */
export function nextStatus(
  kind: MandateKind,
  from: MandateStatus,
  trigger: Trigger,
): MandateStatus | undefined {
  return lifecycle.find(
    (arrow) => arrow.from === from && arrow.trigger === trigger && arrow.kinds.includes(kind),
  )?.to;
}

const signedStatuses: ReadonlySet<MandateStatus> = new Set([
  'waitingForBank',
  'confirmedByBank',
  'waitingForPayrollProvider',
  'finished',
]);

/** True for a status that lets deliveries be listed: the mandate is signed and has not ended (D-28). */
export function permitsDeliveries(status: MandateStatus): boolean {
  return signedStatuses.has(status);
}

/** The status in which a mandate begins. */
export function firstStatus(kind: MandateKind, isSupported: boolean): MandateStatus {
  const arrow = lifecycle.find(
    ({ from, kinds, isSupported: wanted }) =>
      from === 'none' && kinds.includes(kind) && wanted === isSupported,
  );
  if (arrow === undefined) throw new Error(`A ${kind} mandate has no beginning`);
  return arrow.to;
}

/** Every trigger of the lifecycle, in its order. */
export const triggers: readonly Trigger[] = [...new Set(lifecycle.map(({ trigger }) => trigger))];
