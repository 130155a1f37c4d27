import type { Pulse } from '../../src/jobs/heartbeat.js';

/** Beats often, so that a death shows soon. */
export const quickPulse: Pulse = { beatMs: 200, silentMs: 1_500 };
