import type { Knex } from 'knex';
import type { Config } from '../config.js';

/** What the operator commands need of the world around them. */
export interface OperatorContext {
  /** @throws ConfigError naming what is wrong with the environment */
  readConfig(): Config;
  /**
   * Does some work with the database of the deployment: that of `DATABASE_URL`, or the embedded one
   * of the data folder, which is started for as long as the work takes when no service runs it.
   */
  withDatabase<Result>(work: (knex: Knex) => Promise<Result>): Promise<Result>;
  /** The whole of standard input, without the line end that closes it. */
  readStandardInput(): Promise<string>;
  /** Fulfilled when the process is asked to end. From the call on, the process no longer ends by itself. */
  stopRequested(): Promise<void>;
  print(text: string): void;
  printError(text: string): void;
}
