// Generated from openapi.yaml by `npm run generate`. Do not edit.

import { type OperationId, operations } from '@adx/contract';
import { type RequestHandler, Router } from 'express';
import type { Handlers } from './handlers.gen.js';

export interface RouterParts<Context, KeyContext> {
  readonly handlers: Handlers<Context, KeyContext>;
  /** Makes the request handler of an operation, or several that run in turn. */
  readonly bind: (
    operation: (typeof operations)[OperationId],
    handler: Handlers<Context, KeyContext>[OperationId],
  ) => RequestHandler | RequestHandler[];
  /** Makes the request handler for all methods that a path does not have. */
  readonly methodNotAllowed: (allowed: readonly string[]) => RequestHandler;
}

/** Routes every operation to its handler. A path matches only in its exact spelling. */
export function createRouter<Context, KeyContext = Context>({
  handlers,
  bind,
  methodNotAllowed,
}: RouterParts<Context, KeyContext>): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router
    .route('/token')
    .post(bind(operations.getToken, handlers.getToken))
    .all(methodNotAllowed(['POST']));

  router
    .route('/hello-world')
    .get(bind(operations.helloWorld, handlers.helloWorld))
    .all(methodNotAllowed(['GET']));

  router
    .route('/customers')
    .get(bind(operations.listCustomers, handlers.listCustomers))
    .post(bind(operations.searchCustomers, handlers.searchCustomers))
    .all(methodNotAllowed(['GET', 'POST']));

  router
    .route('/payroll-providers')
    .post(bind(operations.listPayrollProviders, handlers.listPayrollProviders))
    .all(methodNotAllowed(['POST']));

  router
    .route('/banks')
    .post(bind(operations.listBanks, handlers.listBanks))
    .all(methodNotAllowed(['POST']));

  router
    .route('/mandates')
    .post(bind(operations.searchMandates, handlers.searchMandates))
    .all(methodNotAllowed(['POST']));

  router
    .route('/coda-files')
    .post(bind(operations.listCodaFiles, handlers.listCodaFiles))
    .all(methodNotAllowed(['POST']));

  router
    .route('/codb-files')
    .post(bind(operations.listCodbFiles, handlers.listCodbFiles))
    .all(methodNotAllowed(['POST']));

  router
    .route('/uploads')
    .post(bind(operations.listUploads, handlers.listUploads))
    .all(methodNotAllowed(['POST']));

  router
    .route('/audit-entries')
    .post(bind(operations.listAuditEntries, handlers.listAuditEntries))
    .all(methodNotAllowed(['POST']));

  router
    .route('/customers/create')
    .post(bind(operations.createCustomer, handlers.createCustomer))
    .all(methodNotAllowed(['POST']));

  router
    .route('/coda-files/acknowledgements')
    .post(bind(operations.acknowledgeCodaFiles, handlers.acknowledgeCodaFiles))
    .all(methodNotAllowed(['POST']));

  router
    .route('/coda-files/missing')
    .post(bind(operations.listMissingStatements, handlers.listMissingStatements))
    .all(methodNotAllowed(['POST']));

  router
    .route('/coda-files/upload-credentials')
    .post(bind(operations.getCodaUploadCredentials, handlers.getCodaUploadCredentials))
    .all(methodNotAllowed(['POST']));

  router
    .route('/codb-files/acknowledgements')
    .post(bind(operations.acknowledgeCodbFiles, handlers.acknowledgeCodbFiles))
    .all(methodNotAllowed(['POST']));

  router
    .route('/codb-files/upload-credentials')
    .post(bind(operations.getCodbUploadCredentials, handlers.getCodbUploadCredentials))
    .all(methodNotAllowed(['POST']));

  router
    .route('/customers/:customerId')
    .get(bind(operations.getCustomer, handlers.getCustomer))
    .patch(bind(operations.updateCustomer, handlers.updateCustomer))
    .delete(bind(operations.archiveCustomer, handlers.archiveCustomer))
    .all(methodNotAllowed(['GET', 'PATCH', 'DELETE']));

  router
    .route('/mandates/:mandateId')
    .get(bind(operations.getMandate, handlers.getMandate))
    .all(methodNotAllowed(['GET']));

  router
    .route('/coda-files/:fileId')
    .delete(bind(operations.acknowledgeCodaFile, handlers.acknowledgeCodaFile))
    .all(methodNotAllowed(['DELETE']));

  router
    .route('/codb-files/:fileId')
    .delete(bind(operations.acknowledgeCodbFile, handlers.acknowledgeCodbFile))
    .all(methodNotAllowed(['DELETE']));

  router
    .route('/uploads/:uploadId')
    .get(bind(operations.getUpload, handlers.getUpload))
    .all(methodNotAllowed(['GET']));

  router
    .route('/mandates/:mandateId/request')
    .post(bind(operations.requestMandate, handlers.requestMandate))
    .all(methodNotAllowed(['POST']));

  router
    .route('/customers/:customerId/bank-accounts/:iban')
    .post(bind(operations.addBankAccount, handlers.addBankAccount))
    .delete(bind(operations.disableBankAccount, handlers.disableBankAccount))
    .all(methodNotAllowed(['POST', 'DELETE']));

  router
    .route('/customers/:customerId/payroll-providers/:code')
    .post(bind(operations.addPayrollProvider, handlers.addPayrollProvider))
    .delete(bind(operations.removePayrollProvider, handlers.removePayrollProvider))
    .all(methodNotAllowed(['POST', 'DELETE']));

  return router;
}
