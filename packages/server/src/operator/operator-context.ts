import type { Knex } from 'knex';
import type { Configs } from '../config.js';

/** What the operator commands need of the world around them. */
export interface OperatorContext {
  /** @throws ConfigError naming what is missing or wrong in the environment */
  readConfig<Kind extends keyof Configs>(kind: Kind): Configs[Kind];
  /** Does some work with the database of the service. */
  withDatabase<Result>(work: (knex: Knex) => Promise<Result>): Promise<Result>;
  /** The whole of standard input, without the line end that closes it. */
  readStandardInput(): Promise<string>;
  /** Fulfilled when the process is asked to end. From the call on, the process no longer ends by itself. */
  stopRequested(): Promise<void>;
  print(text: string): void;
  printError(text: string): void;
}
