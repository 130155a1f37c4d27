import { afterEach, beforeEach, vi } from 'vitest';
import { failure, idToken, TestService } from './test-service.js';

export const hello = 'GET /hello-world';
export const token = 'POST /token';

/** Returns a service for each test of the calling file that answers `helloWorld` for everyone. */
export function serviceForEachTest(): TestService {
  const service = TestService.forEachTest();
  beforeEach(() => service.on(hello, () => ({ json: { message: 'Hello world.' } })));
  afterEach(() => vi.useRealTimers());
  return service;
}

/** Makes a call several times at once, and waits for all of them. */
export function many<T>(times: number, call: () => Promise<T>) {
  return Promise.allSettled(Array.from({ length: times }, call));
}

/** Returns the bodies of the token requests, in order. */
export function tokenBodies(service: TestService) {
  return service.received.filter(({ route }) => route === token).map(({ body }) => body);
}

/** Answers calls with 401 unless they have the ID token of the given sign-in. */
export function accept(service: TestService, nth: number, code = 'tokenExpired') {
  service.on(hello, (request) =>
    request.idToken === idToken({ nth }) ? { json: { message: 'Hello.' } } : failure(401, code),
  );
}
