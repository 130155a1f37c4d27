import type { ApiModel } from '../../model/api-model.js';
import type { Emitter } from '../emitter.js';
import { header } from '../text/header.js';
import { jsDoc, prose } from '../text/js-doc.js';
import { contractFolder } from './contract-folder.js';

/** A type by the name of each schema. */
export const modelsEmitter: Emitter = {
  folder: contractFolder,
  emit: (model) => new Map([['models.gen.ts', modelsFile(model)]]),
};

function modelsFile(model: ApiModel): string {
  const aliases = model.schemas.map(({ name, description }) => {
    const comment = description === '' ? '' : jsDoc(prose(description));
    return `\n${comment}export type ${name} = components['schemas']['${name}'];\n`;
  });
  return `${header}
import type { components } from './schema.gen.js';
${aliases.join('')}`;
}
