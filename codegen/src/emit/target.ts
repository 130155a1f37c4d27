import { posix } from 'node:path';
import type { Layout } from '../config.js';
import { quote } from './text/typescript.js';

/** The modules that generated code imports: handwritten packages, or files generated beside it. */
export interface Target {
  readonly contract: string;
  readonly caller: string;
  readonly error: string;
  /** The sentence of comments that says what the options of a call can do. */
  readonly options: string;
  /** The type of what a method returns that makes one call. */
  readonly promise: string;
  readonly streams: boolean;
}

/** @param folder the folder of the code that imports them */
export function targetOf({ modules, folders }: Layout, folder: string): Target {
  return modules
    ? {
        ...modules,
        error: 'ApiError',
        options: 'Can cancel the call or limit its time.',
        promise: 'ApiPromise',
        streams: true,
      }
    : {
        contract: `${pathBetween(folder, folders.contract)}/index.gen.js`,
        caller: './caller.gen.js',
        error: 'ResponseError',
        options: 'Can cancel the call, and see its response.',
        promise: 'Promise',
        streams: false,
      };
}

/** Returns the import of the contract's types, if the code has any. */
export function contractImport(code: string, { contract }: Target): string {
  return /^(?! *\*).*\bcontract\./m.test(code)
    ? `import type * as contract from ${quote(contract)};\n`
    : '';
}

/** Returns the path from one folder to another, as modules import it. */
export function pathBetween(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith('.') ? path : `./${path}`;
}
