import type { Alias, ApiModel, TypePath } from '../../model/api-model.js';
import { header, jsDoc, prose } from '../text/comment.js';
import { propertyKey, quote } from '../text/typescript.js';

/** Returns the type of each schema, and of each other part of an operation. */
export function modelsFile({ schemas, aliases, operations }: ApiModel): string {
  const hasFiles = operations.some(({ body }) => body?.contents.some(({ files }) => files));
  const imported = "import type { operations } from './schema.gen.js';\n";
  return `${header}
${aliases.length > 0 ? imported : ''}${exportOf(schemas, './schema.gen.js')}${aliases.map(declaration).join('')}${hasFiles ? formWithFiles : ''}`;
}

function exportOf(types: readonly { readonly typeName: string }[], module: string): string {
  const names = types.map(({ typeName }) => `  ${typeName},\n`);
  return `export type {\n${names.join('')}} from ${quote(module)};\n`;
}

const formWithFiles = `
/** A form of which some members are files. */
export type FormWithFiles<Form, Names extends PropertyKey, File> = Form extends unknown
  ? { [Name in keyof Form]: Name extends Names ? FileOrFiles<Form[Name], File> : Form[Name] }
  : never;

type FileOrFiles<Value, File> = Value extends readonly unknown[]
  ? File[]
  : Value extends undefined
    ? Value
    : File;
`;

function declaration({ typeName, description, type }: Alias): string {
  const comment = description === '' ? '' : jsDoc(prose(description));
  return `\n${comment}export type ${typeName} = ${aliasType(type)};\n`;
}

function aliasType(type: Alias['type']): string {
  if ('keys' in type) return pathType(type);
  const members = type.members.map((member) => {
    const optional = member.isOptional ? '?' : '';
    return `  ${propertyKey(member.name)}${optional}: ${pathType(member.type)};\n`;
  });
  return `{\n${members.join('')}}`;
}

/** The members that can be undefined in `schema.gen.ts`. */
const optional: readonly (string | number)[] = ['requestBody', 'query', 'header'];

function pathType({ keys }: TypePath): string {
  return keys.reduce<string>((type, key, index) => {
    if (key === 'number' && keys[index - 1] === 'records') return `${type}[number]`;
    const member = `${type}[${typeof key === 'number' ? key : quote(key)}]`;
    const isOptional = optional.includes(key) && (index === 1 || keys[1] === 'parameters');
    return isOptional ? `NonNullable<${member}>` : member;
  }, 'operations');
}

export function clientModelsFile({ schemas, aliases }: ApiModel, contract: string): string {
  return `${header}\n${exportOf([...schemas, ...aliases], contract)}`;
}
