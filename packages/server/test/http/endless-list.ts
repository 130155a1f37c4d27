/** Returns an endless list. `isGivenUp` becomes true when its reader stops. */
export function endlessList() {
  const state = { isGivenUp: false };
  async function* items() {
    try {
      for (;;) yield 'x'.repeat(1_000);
    } finally {
      state.isGivenUp = true;
    }
  }
  return { state, items: items() };
}
