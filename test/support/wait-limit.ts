/** The limit in ms, far longer than a busy machine takes. Proofs put a load on the service. */
export const waitLimitMs = process.env['ADX_TEST_PROVE'] === undefined ? 30_000 : 240_000;
