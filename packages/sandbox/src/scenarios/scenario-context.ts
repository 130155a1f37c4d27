import type { Operator } from '../operator.js';
import type { Settings } from '../settings-file.js';
import type { KeySettings } from './age-id-token.js';
import type { ArmedErrors } from './armed-errors.js';
import type { ElapsedTime, HeldMandates } from './kept-state.js';

/** The sandbox in which scenarios are done. */
export interface ScenarioContext {
  /** The public address. */
  readonly url: string;
  readonly dataDir: string;
  readonly mailFolder: string;
  /** Those of the service. */
  readonly settings: Settings & KeySettings & { readonly PORT: string };
  readonly operator: Operator;
  readonly elapsed: ElapsedTime;
  readonly errors: ArmedErrors;
  readonly heldMandates: HeldMandates;
}

/** A scenario that cannot be done as it was asked for. The message says what to change. */
export class ScenarioRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
