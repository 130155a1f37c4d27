/**
 * How long a test waits for something, in ms: many times as long as it takes on a busy machine.
 * Proofs put a load on the service.
 */
export const waitLimitMs = process.env['ADX_TEST_PROVE'] === undefined ? 30_000 : 240_000;
