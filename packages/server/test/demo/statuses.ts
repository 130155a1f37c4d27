/** The statuses of §3, sorted. */
export const codaStatuses = [
  ...['confirmedByBank', 'created', 'error', 'expired', 'finished', 'rejectedByBank'],
  ...['rejectedBySigner', 'renewalRequired', 'unsupportedBank', 'waitingForBank'],
  'waitingForSigner',
];
export const codbStatuses = [
  ...['created', 'error', 'expired', 'finished', 'rejectedByPayrollProvider', 'rejectedBySigner'],
  ...['unsupportedPayrollProvider', 'waitingForPayrollProvider', 'waitingForSigner'],
];
