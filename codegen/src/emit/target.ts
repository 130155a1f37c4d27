import type { Layout } from '../config.js';

/** The modules that generated code imports: handwritten packages, or files generated beside it. */
export interface Target {
  /** The module with the types and tables of the contract. */
  readonly contract: string;
  /** The module of the client that makes calls. */
  readonly caller: string;
  /** The class of the client's errors. */
  readonly error: string;
  /** True if the server streams lists. */
  readonly streams: boolean;
}

export function targetOf({ modules }: Layout): Target {
  return modules
    ? { ...modules, error: 'ApiError', streams: true }
    : {
        contract: '../contract/index.gen.js',
        caller: './caller.gen.js',
        error: 'ResponseError',
        streams: false,
      };
}
