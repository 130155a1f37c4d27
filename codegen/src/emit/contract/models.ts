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

/** The types that the client exports. */
export function clientModelsFile({ schemas }: ApiModel): string {
  return `${header}
export type {
${schemas.map(({ name }) => `  ${name},\n`).join('')}} from '@adx/contract';
`;
}
