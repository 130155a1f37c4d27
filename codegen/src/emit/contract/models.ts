import type { ApiModel } from '../../model/api-model.js';
import { header, jsDoc, prose } from '../text/comment.js';

/** A type with the name of each schema. */
export function modelsFile(model: ApiModel): string {
  const aliases = model.schemas.map(({ name, description }) => {
    const comment = description === '' ? '' : jsDoc(prose(description));
    return `\n${comment}export type ${name} = components['schemas']['${name}'];\n`;
  });
  return `${header}
import type { components } from './schema.gen.js';
${aliases.join('')}`;
}

/**
 * The types that the client exports: every model but `Error`, which would hide JavaScript's own.
 */
export function clientModelsFile({ schemas }: ApiModel): string {
  const names = schemas.map(({ name }) => name).filter((name) => name !== 'Error');
  return `${header}
export type {
${names.map((name) => `  ${name},\n`).join('')}} from '@adx/contract';
`;
}
