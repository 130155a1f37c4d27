import type { Pulse } from '../../src/jobs/heartbeat.js';

/** Beats often, so that a death shows soon, yet no sooner than a busy machine lets the living beat. */
export const quickPulse: Pulse = { beatMs: 200, silentMs: 5_000 };
