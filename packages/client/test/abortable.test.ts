import { afterEach, describe, expect, it, vi } from 'vitest';
import { wait } from '../src/core/abortable.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('client: waiting', () => {
  it('client: ends at once if the signal has already aborted', async () => {
    const signal = AbortSignal.abort();
    await expect(wait(60_000, signal)).rejects.toBe(signal.reason);
  });

  it('client: with an infinite duration does not end at once', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const waiting = wait(Number.POSITIVE_INFINITY, controller.signal);
    vi.advanceTimersByTime(3_600_000);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
  });

  it('client: leaves no timer that would keep the process alive', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const waiting = wait(60_000, controller.signal);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});
