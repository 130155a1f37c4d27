import { afterEach, beforeEach, vi } from 'vitest';
import { type Answer, failure, gate, idToken, type Received, TestService } from './test-service.js';

export const hello = 'GET /hello-world';
export const token = 'POST /token';

/** Returns a service for each test of the calling file that answers `helloWorld` for everyone. */
export function serviceForEachTest(): TestService {
  const service = TestService.forEachTest();
  beforeEach(() => service.on(hello, () => ({ json: { message: 'Hello world.' } })));
  afterEach(() => vi.useRealTimers());
  return service;
}

/** Answers `helloWorld`, but holds its second call. Returns a function that lets it go. */
export function holdSecondCall(
  service: TestService,
  answer: (request: Received) => Answer,
): () => void {
  const { opened, open } = gate();
  service.on(hello, async (request, nth) => {
    if (nth === 2) await opened;
    return answer(request);
  });
  return open;
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
