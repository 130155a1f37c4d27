import type { ApiModel } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { literal } from '../text/literal.js';
import { propertyKey } from '../text/names.js';
import { contractFolder } from './contract-folder.js';

/** The error catalogue: the one status and the one message of each code. */
export const errorsEmitter: Emitter = {
  folder: contractFolder,
  emit: (model) => new Map([['errors.gen.ts', errorsFile(model)]]),
};

function errorsFile(model: ApiModel): string {
  const entries = model.errors.map(
    ({ code, ...meaning }) =>
      `  ${propertyKey(code)}: ${literal(meaning, '  ', propertyKey(code).length + 2)},\n`,
  );
  return `${header}
/** Every error code with its HTTP status and the message it carries (D-03). */
export const errorCatalogue = {
${entries.join('')}} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** Stable codes of errors. */
export type ErrorCode = keyof typeof errorCatalogue;
`;
}
