import type { HeartbeatTimes } from '../../src/jobs/heartbeat.js';

/** Beats often, so that a death shows soon, yet no sooner than a busy machine lets the living beat. */
export const quickHeartbeat: HeartbeatTimes = { intervalMs: 200, timeoutMs: 5_000 };
