import type { HeartbeatTimes } from '../../src/jobs/heartbeat.js';

/**
 * Short, so that a dead worker is noticed soon, but long enough that a live worker on a busy
 * machine is not declared dead.
 */
export const quickHeartbeat: HeartbeatTimes = { intervalMs: 200, timeoutMs: 5_000 };
