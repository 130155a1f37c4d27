/** In ms: many times as long as a busy machine takes. Proofs put a load on the service. */
export const waitLimitMs = process.env['ADX_TEST_PROVE'] === undefined ? 30_000 : 240_000;
