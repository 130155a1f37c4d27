import { setTimeout as wait } from 'node:timers/promises';

/** Waits until something holds; throws after ten minutes. */
export async function until(
  what: string,
  pauseMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It took longer than ten minutes until ${what}`);
    await wait(pauseMs);
  }
}
