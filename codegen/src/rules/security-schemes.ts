import type { JsonValue } from '../document/json.js';
import type { Rule } from './rule.js';

/** §5: the two credentials of every call. */
const schemes: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
};

/** The server and the client implement exactly these two schemes. */
export const securitySchemes: Rule = {
  name: 'security-schemes',
  check({ root, components }, report) {
    const declared = components.securitySchemes;
    for (const [name, shape] of Object.entries(schemes)) {
      const scheme = declared?.get(name);
      if (!scheme) {
        report(declared ?? root, `There is no security scheme ${name}.`);
        continue;
      }
      for (const [key, value] of Object.entries(shape)) {
        if (scheme.get(key)?.value !== value) {
          report(scheme.get(key) ?? scheme, `${name} does not have ${key}: ${value}.`);
        }
      }
    }
    for (const scheme of declared?.members ?? []) {
      if (!Object.hasOwn(schemes, scheme.key)) {
        report(scheme, `${scheme.key} is a security scheme that nothing implements.`);
      }
    }
  },
};
