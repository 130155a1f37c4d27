import { SEARCH_MS } from '../../../packages/server/src/files/print-turns.js';
import { SCAN_MS } from '../../../packages/server/src/uploads/tasks.js';

/** The assumptions about firms and machines, which `docs/capacity.md` has in words. */
export const assumed = {
  accounts: 500,
  /** Days on which each account has a statement. */
  workingDays: 250,
  /** Statements in a file that a firm uploads. */
  statementsPerFile: 50,
  /** The part of a day's statements that arrives in the morning, and its length. */
  inTheMorning: 0.7,
  morningSeconds: 7_200,
  /** How many times the mean of the morning arrives in its first minutes, because ever fewer follow. */
  peak: 2,
  /** Calls of an hour, in the 12 hours of a day. */
  filePollsPerHour: 12,
  mandatePollsPerHour: 1,
  refreshesPerHour: 1,
  hours: 12,
  /** Sign-ins of a firm on a day, in the morning. */
  signIns: 1,
  /** New or renewed mandates of a firm in a year. */
  mandatesPerYear: 100,
  /** For how long statements are kept: the default of `STATEMENT_YEARS`. */
  statementYears: 10,
  /** Requests to the storage for each statement that a program of the firm downloads, with its PDF. */
  downloads: 2,
  /** How long the storage takes for a request, in ms. */
  storageMs: 20,
  /** The least number of services and of workers, so that one may fail. */
  processes: 2,
  /** The part of each core that may be busy at the peak. */
  busy: 0.5,
  /** The pauses between two scans of the upload buckets, and between two searches for files to print. */
  scanSeconds: SCAN_MS / 1_000,
  searchSeconds: SEARCH_MS / 1_000,
  /** The most connections to the database that a process opens, with the default settings. */
  connections: { service: 10, worker: 24 },
  /** Memory of a process, and of its connections in PostgreSQL, in MiB. */
  memory: { process: 512, connection: 10 },
  /** How much a database and a storage can do: PostgreSQL by default, on a large machine with a large disk. */
  limits: {
    connections: 100,
    databaseCores: 32,
    walMebibytesPerSecond: 100,
    databaseTebibytes: 16,
    storageRequestsPerSecond: 5_000,
  },
} as const;
