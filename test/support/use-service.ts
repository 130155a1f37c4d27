import { afterAll, beforeAll } from 'vitest';
import { type FuzzTarget, startFuzzTarget } from './fuzz-target.js';
import { type SignedInService, startSignedInService } from './signed-in-service.js';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.js';

/**
 * Starts something before the tests of a file or a block, and ends it after them.
 *
 * @returns an object that gets its members before the first test
 */
export function useStarted<Started extends object>(
  start: () => Promise<Started>,
  end: (started: Started) => unknown,
): Started {
  const members = {} as Started;
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
    Object.assign(members, started);
  });
  afterAll(() => started && end(started));
  return members;
}

/** Gives a test file a service. */
export const useTestService = (options?: TestServiceOptions): TestService =>
  useStarted(
    () => startTestService(options),
    (service) => service.close(),
  );

/** Gives a test file a service with one firm, whose administrator is signed in. */
export const useSignedInService = (options?: TestServiceOptions): SignedInService =>
  useStarted(
    () => startSignedInService(options),
    ({ service }) => service.close(),
  );

/** Gives a test file a service and calls that are correct except for given differences. */
export const useFuzzTarget = (options?: TestServiceOptions): FuzzTarget =>
  useStarted(
    () => startFuzzTarget(options),
    ({ service }) => service.close(),
  );
