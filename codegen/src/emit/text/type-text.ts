import type { TypeReference } from '../../model/api-model.js';

const nameless = { requestBody: 'RequestBody', successBody: 'SuccessBody', record: 'RecordOf' };

/** A type as it is written in generated code; names of the contract get the prefix `qualifier`. */
export function typeText(type: TypeReference, qualifier = ''): string {
  switch (type.kind) {
    case 'model':
      return qualifier + type.name;
    case 'array':
      return `${typeText(type.items, qualifier)}[]`;
    default:
      return `${qualifier}${nameless[type.kind]}<'${type.operationId}'>`;
  }
}

/** The names a type takes from the contract. */
export function typeNames(type: TypeReference): string[] {
  switch (type.kind) {
    case 'model':
      return [type.name];
    case 'array':
      return typeNames(type.items);
    default:
      return [nameless[type.kind]];
  }
}
