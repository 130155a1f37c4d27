import { identity } from './0001-identity.js';
import { referenceData } from './0002-reference-data.js';
import { customers } from './0003-customers.js';
import { mandates } from './0004-mandates.js';
import { jobs } from './0005-jobs.js';
import { files } from './0006-files.js';
import { grantsAndDeliveries } from './0007-grants-and-deliveries.js';
import { objectRemovals } from './0008-object-removals.js';
import { lastFailure } from './0009-last-failure.js';
import { failedTo } from './0010-failed-to.js';
import { banksByCode } from './0011-banks-by-code.js';
import { credentials } from './0012-credentials.js';
import { requestMails } from './0013-request-mails.js';
import { firmContact } from './0014-firm-contact.js';
import { rejectedCopies } from './0015-rejected-copies.js';
import { printAfterListing } from './0017-print-after-listing.js';
import { readingInTurns } from './0018-reading-in-turns.js';
import { fairRequests } from './0019-fair-requests.js';
import { signatureEvidence } from './0020-signature-evidence.js';
import { printingInTurns } from './0021-printing-in-turns.js';
import { mailsPerAddress } from './0022-mails-per-address.js';
import { mailsPerMailbox } from './0025-mails-per-mailbox.js';
import { prefixesInOrder } from './0027-prefixes-in-order.js';
import { apiUsage } from './0028-api-usage.js';
import { idempotentAnswers } from './0029-idempotent-answers.js';
import { statementIdentity } from './0030-statement-identity.js';
import { missingStatements } from './0031-missing-statements.js';
import { uploadsOfUsers } from './0033-uploads-of-users.js';
import { reminders } from './0034-reminders.js';
import { renewals } from './0035-renewals.js';
import { excludedMandates } from './0036-excluded-mandates.js';
import { customerTransfers } from './0037-customer-transfers.js';
import { countedUploads } from './0039-counted-uploads.js';
import { chainAround } from './0040-chain-around.js';
import { unprocessedUploads } from './0041-unprocessed-uploads.js';
import { chainOfWholeDays } from './0042-chain-of-whole-days.js';
import { acknowledgedTogether } from './0044-acknowledged-together.js';
import { uniqueFileNames } from './0045-unique-file-names.js';
import { numbersAround } from './0046-numbers-around.js';
import { identityProviders } from './0047-identity-providers.js';
import { auditTrail } from './0048-audit-trail.js';
import { sealedSigningKeys } from './0049-sealed-signing-keys.js';
import { disabledFirms } from './0050-disabled-firms.js';
import { uniqueFirmNames } from './0051-unique-firm-names.js';
import { erasure } from './0052-erasure.js';
import { retention } from './0053-retention.js';
import { tracedUploads } from './0054-traced-uploads.js';
import { boundAccounts } from './0055-bound-accounts.js';
import { erasureIndexes } from './0056-erasure-indexes.js';
import { printFailures } from './0057-print-failures.js';
import { contestedLinks } from './0058-contested-links.js';
import { senders } from './0060-senders.js';
import { formerNames } from './0062-former-names.js';
import { mailboxesOfProviders } from './0064-mailboxes-of-providers.js';
import type { Migration } from './migration.js';

/** All migrations, in order. */
export const allMigrations: readonly Migration[] = [
  identity,
  referenceData,
  customers,
  mandates,
  jobs,
  files,
  grantsAndDeliveries,
  objectRemovals,
  lastFailure,
  failedTo,
  banksByCode,
  credentials,
  requestMails,
  firmContact,
  rejectedCopies,
  printAfterListing,
  readingInTurns,
  fairRequests,
  signatureEvidence,
  printingInTurns,
  mailsPerAddress,
  mailsPerMailbox,
  prefixesInOrder,
  apiUsage,
  idempotentAnswers,
  statementIdentity,
  missingStatements,
  uploadsOfUsers,
  reminders,
  renewals,
  excludedMandates,
  customerTransfers,
  countedUploads,
  chainAround,
  unprocessedUploads,
  chainOfWholeDays,
  acknowledgedTogether,
  uniqueFileNames,
  numbersAround,
  identityProviders,
  auditTrail,
  sealedSigningKeys,
  disabledFirms,
  uniqueFirmNames,
  erasure,
  retention,
  tracedUploads,
  boundAccounts,
  erasureIndexes,
  printFailures,
  contestedLinks,
  senders,
  formerNames,
  mailboxesOfProviders,
];
