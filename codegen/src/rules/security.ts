import { orMeant } from '../document/closest.js';
import { sameElsewhere } from '../document/finding.js';
import type { JsonValue } from '../document/json.js';
import { readScopes } from '../openapi/openapi-object.js';
import type { OperationObject, SecurityRequirementObject } from '../openapi/operation-object.js';
import type { Report, Rule } from './rule.js';

/** Every call can carry what the security schemes require. */
export const security: Rule = {
  name: 'security',
  check({ operations, components }, report) {
    const declared = components.securitySchemes?.members ?? [];
    for (const scheme of declared) {
      const node = scheme.follow();
      const name = node.get('scheme')?.text ?? '';
      if (node.get('type')?.text !== 'http' || /^(bearer|basic)$/i.test(name)) continue;
      report(
        scheme,
        `The security scheme ${scheme.key} is http ${name}, which is not supported; write http bearer.`,
      );
    }
    const names = declared.map(({ key }) => key);
    const uses = operations.flatMap(({ security }) => security);
    for (const name of new Set(uses.flatMap(({ schemes }) => [...schemes.keys()]))) {
      if (names.includes(name)) continue;
      // Operations without an own requirement share that of the spec.
      const places = new Map(uses.map(({ node }) => [node.position.offset, node.get(name)]));
      const [first, ...others] = [...places.values()].flatMap((place) => place ?? []);
      const message = `There is no security scheme ${name}${orMeant(name, names)}`;
      if (first) report(first, message + sameElsewhere(others.length));
    }
  },
};

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

/**
 * Every call carries the API key (§5) with a scope, and an ID token. An operation that needs no
 * scope or no ID token must say so, so that nobody leaves out by mistake what protects customers.
 */
export const securityRequirement: Rule = {
  name: 'security-requirement',
  check({ operations, root }, report) {
    const shared = root.get('security');
    if (shared) report(shared, 'Each operation states its own security.');

    for (const operation of operations) {
      const own = operation.node.get('security');
      const [requirement, ...others] = own ? operation.security : [];
      if (!requirement || others.length > 0) {
        report(
          own ?? operation.node,
          `${operation.name} has ${own?.items.length ?? 0} security requirements instead of one.`,
        );
        continue;
      }
      checkSchemes(operation, requirement, report);
      const hasIdToken = requirement.schemes.has('idToken');
      checkPresence(operation, requirement, 'x-no-scope', hasScope(requirement), report);
      checkPresence(operation, requirement, 'x-no-id-token', hasIdToken, report);
    }
  },
};

function hasScope({ schemes }: SecurityRequirementObject): boolean {
  return [...schemes.values()].some((scopes) => scopes.length > 0);
}

function checkSchemes(
  operation: OperationObject,
  { node, schemes }: SecurityRequirementObject,
  report: Report,
): void {
  const name = operation.name;
  for (const scheme of node.members) {
    if (!['apiKey', 'idToken'].includes(scheme.key)) {
      report(scheme, `${name} uses the security scheme ${scheme.key}.`);
    }
  }
  const apiKey = schemes.get('apiKey');
  const idToken = schemes.get('idToken');
  if (!apiKey) report(node, `${name} does not require the API key.`);
  if (idToken && idToken.length > 0) {
    report(node, `${name} puts scopes on idToken; they belong to apiKey.`);
  }
  if (!idToken && apiKey && apiKey.length > 0) {
    report(node, `${name} has scopes but requires no ID token.`);
  }
}

function checkPresence(
  operation: OperationObject,
  requirement: SecurityRequirementObject,
  extension: 'x-no-scope' | 'x-no-id-token',
  isRequired: boolean,
  report: Report,
): void {
  const name = operation.name;
  const what = extension === 'x-no-scope' ? 'a scope' : 'an ID token';
  const flag = operation.node.get(extension);
  if (flag && flag.value !== true) {
    report(flag, `${extension} must be true or absent.`);
  } else if (flag && isRequired) {
    report(flag, `${name} is ${extension} but requires ${what}.`);
  }
  if (!isRequired && flag?.value !== true) {
    report(requirement.node, `${name} does not require ${what} but is not ${extension}.`);
  }
}

/** Every scope is declared with a description, and an operation uses it. */
export const scopes: Rule = {
  name: 'scopes',
  check(api, report) {
    const declared = readScopes(api);
    const used = api.operations.flatMap(({ security }) =>
      security.flatMap(({ schemes }) => schemes.get('apiKey') ?? []),
    );
    for (const scope of declared) {
      if (!/^[a-z]+:[a-z]+$/.test(scope.key)) {
        report(scope.keyPosition, `Scope ${scope.key} is not of the form resource:right.`);
      }
      if (!scope.text?.trim()) {
        report(scope, `Scope ${scope.key} has no description.`);
      }
      if (api.isWhole && !used.some(({ text }) => text === scope.key)) {
        report(scope.keyPosition, `Scope ${scope.key} is not used by any operation.`);
      }
    }
    for (const scope of used) {
      if (!declared.some(({ key }) => key === scope.text)) {
        const names = declared.map(({ key }) => key);
        const meant = orMeant(scope.text ?? '', names);
        report(scope, `Scope ${scope.text} is not declared in x-scopes${meant}`);
      }
    }
  },
};
