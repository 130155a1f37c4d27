// Loaded with --import: the clock of the machine is ten minutes ahead, and a pause of a minute
// takes a moment.
const { Date: RightDate, setTimeout } = globalThis;
const now = () => RightDate.now() + 600_000;
globalThis.Date = class extends RightDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now = now;
};
globalThis.setTimeout = (run, ms, ...rest) => setTimeout(run, ms === 60_000 ? 100 : ms, ...rest);
