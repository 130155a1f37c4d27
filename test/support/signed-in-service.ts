import type { Client } from '@adx/client';
import type { OperationId } from '@adx/contract';
import { callOperation, type OperationAnswer, type OperationCall } from './call-operation.js';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  type TestUser,
} from './test-service.js';

/** A service with one firm, whose administrator is signed in. */
export interface SignedInService {
  readonly service: TestService;
  readonly firmId: string;
  readonly user: TestUser;
  readonly client: Client;
  /** An API key with all scopes. */
  readonly apiKey: string;
  readonly idToken: string;
  call(operationId: OperationId, call?: OperationCall): Promise<OperationAnswer>;
  anotherFirm(): Promise<Client>;
}

/** Starts a service for a test file that needs no particular firm or user. */
export async function startSignedInService(options?: TestServiceOptions): Promise<SignedInService> {
  const service = await startTestService(options);
  const firmId = await service.createFirm();
  const administrator = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const idToken = await service.idToken(administrator);
  return {
    service,
    firmId,
    user: administrator,
    client: await service.client(administrator),
    apiKey,
    idToken,
    call: (operationId, call) => callOperation(service, operationId, { apiKey, idToken, ...call }),
    async anotherFirm() {
      const user = await service.createUser({ firmId: await service.createFirm() });
      return service.client(user);
    },
  };
}
