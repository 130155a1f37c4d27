import type { Alias, ApiModel, TypePath } from '../../model/api-model.js';
import { header, jsDoc, prose } from '../text/comment.js';
import { propertyKey, quote } from '../text/typescript.js';

/** Returns a type with the name of each schema, and of each other type of an operation. */
export function modelsFile({ schemas, aliases, operations }: ApiModel): string {
  const named = schemas.map(({ name, typeName, description }) =>
    declaration(typeName, description, `components['schemas'][${quote(name)}]`),
  );
  const others = aliases.map((alias) =>
    declaration(alias.typeName, alias.description, aliasType(alias)),
  );
  const hasFiles = operations.some(({ body }) => body?.contents.some(({ files }) => files));
  const imports = [
    ...(schemas.length > 0 ? ['components'] : []),
    ...(aliases.length > 0 ? ['operations'] : []),
  ];
  return `${header}
import type { ${imports.join(', ')} } from './schema.gen.js';
${[...named, ...others].join('')}${hasFiles ? formWithFiles : ''}`;
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

function declaration(name: string, description: string, type: string): string {
  const comment = description === '' ? '' : jsDoc(prose(description));
  return `\n${comment}export type ${name} = ${type};\n`;
}

function aliasType({ type }: Alias): string {
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
  const names = [...schemas, ...aliases].map(({ typeName }) => `  ${typeName},\n`);
  return `${header}
export type {
${names.join('')}} from ${quote(contract)};
`;
}
