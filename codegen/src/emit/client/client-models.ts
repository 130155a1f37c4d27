import type { ApiModel } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { clientFolder } from './client-folder.js';

/** The types that partners name: every model but `Error`, which would hide JavaScript's own. */
export const clientModelsEmitter: Emitter = {
  folder: clientFolder,
  emit: (model) => new Map([['models.gen.ts', modelsFile(model)]]),
};

function modelsFile({ schemas }: ApiModel): string {
  const names = schemas.map(({ name }) => name).filter((name) => name !== 'Error');
  return `${header}
export type {
${names.map((name) => `  ${name},\n`).join('')}} from '@adx/contract';
`;
}
