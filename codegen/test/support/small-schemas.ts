import type { JsonObject } from '../../src/document/json.js';

export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const nothing = { type: 'null' };
export const limited = { ...text, maxLength: 3 };
export const list = { type: 'array' };

export const object = (properties: JsonObject, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});

/** Returns a reference to a component. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export const one = (...oneOf: JsonObject[]) => ({ oneOf });
export const any = (...anyOf: JsonObject[]) => ({ anyOf });
export const all = (...allOf: JsonObject[]) => ({ allOf });
