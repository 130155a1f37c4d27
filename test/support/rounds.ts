/** What decides how often a test repeats something. */
export interface Rounds {
  readonly short: number;
  /** In the long part, which `npm test -- --all` runs. */
  readonly all: number;
}

/** Returns how often a test repeats something in this run. */
export const rounds = ({ short, all }: Rounds): number =>
  process.env['ADX_TEST_ALL'] === undefined ? short : all;
