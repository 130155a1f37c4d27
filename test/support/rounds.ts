/** False if all tests run, as by `npm test -- --all`, and in proofs. */
export const isShortPart = process.env['ADX_TEST_ALL'] === undefined;

export interface Rounds {
  readonly short: number;
  /** The number in a run of all tests; that of the short part if it is missing. */
  readonly all?: number;
  /** The number in a proof that imports the test; that of all tests if it is missing. */
  readonly proof?: number;
}

/** True if the long proofs run. */
export const isProof = process.env['ADX_TEST_PROVE'] !== undefined;

/** Returns how often a test repeats something in this run. */
export function rounds({ short, all = short, proof = all }: Rounds): number {
  if (isProof) return proof;
  return isShortPart ? short : all;
}

/** Returns all cases of a test, or in the short part one in so many. */
export function oneIn<Case>(many: number, cases: readonly Case[]): readonly Case[] {
  return isShortPart ? cases.filter((_, index) => index % many === 0) : cases;
}
