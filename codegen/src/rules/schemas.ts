import { orBoolean, orMeant } from '../document/closest.js';
import type { Position } from '../document/sources.js';
import type { SpecNode } from '../document/spec-document.js';
import { isPascalCase, reservedTypes } from '../model/names.js';
import { isExponential } from '../openapi/exponential-pattern.js';
import { parsePattern, unportableParts } from '../openapi/pattern-syntax.js';
import { identityKeywords } from '../openapi/plain-schema.js';
import {
  allowsMember,
  allSchemas,
  circleThrough,
  optionalNames,
  partsOf,
  referencedSchema,
  requiresMistake,
  rootSchemas,
  undeclaredNames,
  withSubschemas,
} from '../openapi/schema-object.js';
import { typeOfValue } from '../openapi/schema-parts.js';
import {
  compileError,
  isKnownFormat,
  mismatches,
  orMeantFormat,
  schemaErrors,
} from '../openapi/schema-validation.js';
import { type Report, type Rule, ruleForEach } from './rule.js';

/** Schemas are valid and have nothing that JSON Schema would ignore, such as a misspelt keyword. */
export const schema: Rule = {
  name: 'schema',
  check(api, report) {
    let isSound = true;
    const complain: Report = (place, message) => {
      isSound = false;
      report(place, message);
    };
    const roots = rootSchemas(api);
    const circular = new Set<string>();
    for (const component of api.components.schemas) {
      const circle = circular.has(component.key) ? undefined : circleThrough(component);
      if (!circle) continue;
      const names = circle.map(({ key }) => key);
      for (const name of names) circular.add(name);
      const way = [...names, component.key].join(' → ');
      complain(
        component.keyPosition,
        `${component.key} consists of itself: ${way}. No value can be checked against it.`,
      );
    }
    for (const root of roots) {
      for (const { place, message } of schemaErrors(root)) complain(place, message);
      for (const part of withSubschemas(root)) {
        checkKeywords(part, complain);
        checkClosedParts(part, complain);
      }
    }
    // A schema that does not compile would let every example pass.
    const failed = new Set<string>();
    for (const root of isSound ? roots : []) {
      const error = compileError(root);
      if (error instanceof RangeError) {
        // The stack overflows, as it would in the generated server. Many schemas lead to the same
        // ones.
        report(root, 'The references of this schema lead through too many others.');
        break;
      }
      // The schemas that refer to it fail too.
      if (error && !failed.has(error.message)) {
        report(root, `This schema does not compile: ${error.message}.`);
        failed.add(error.message);
      }
    }
    for (const each of allSchemas(api)) checkDefault(each, report);
  },
};

/** The generated server hands a default to the handlers as it is. */
function checkDefault(schema: SpecNode, report: Report): void {
  const value = schema.get('default');
  const found = value ? mismatches(value, schema) : [];
  // The last mistake of a place sums up those of its alternatives.
  for (const [place, message] of new Map(found.map((each) => [each.place, each.message]))) {
    report(place, `The default ${message}`);
  }
}

function checkKeywords(schema: SpecNode, report: Report): void {
  for (const { key, keyPosition } of schema.members) {
    if (identityKeywords.has(key)) {
      report(
        keyPosition,
        `${key} is not supported; write references to #/components/schemas/Name.`,
      );
    }
  }
  // The plain form has replaced each one that is boolean.
  const nullable = schema.get('nullable');
  if (nullable) report(nullable, `nullable must be boolean${orBoolean('boolean', nullable.value)}`);
  const reference = schema.get('$ref');
  if (reference?.text !== undefined && referencedSchema(schema) === undefined) {
    report(reference, `${reference.text} is not of the form #/components/schemas/Name.`);
  }
  const values = (schema.get('enum')?.items ?? []).map(({ value }) => JSON.stringify(value));
  for (const [index, value] of (schema.get('enum')?.items ?? []).entries()) {
    if (values.indexOf(JSON.stringify(value.value)) < index) {
      report(value, `${JSON.stringify(value.value)} is in the enum twice.`);
    }
  }
  checkRequired(schema, report);
  const types = [schema.object?.['type'] ?? []].flat().map(String);
  for (const value of [...(schema.get('enum')?.items ?? []), schema.get('const')]) {
    if (
      value &&
      types.length > 0 &&
      types.every((type) => jsonTypes.includes(type) && !isOfType(value, type))
    ) {
      report(value, `${JSON.stringify(value.value)} is not of type ${types.join(' or ')}.`);
    }
  }
  const discriminator = schema.get('discriminator');
  if (discriminator && discriminator.get('propertyName')?.text === undefined) {
    report(discriminator, 'A discriminator has the name of a property as its propertyName.');
  }
  for (const { key, keyPosition } of schema.get('patternProperties')?.members ?? []) {
    checkPattern(key, keyPosition, report);
  }
  const pattern = schema.get('pattern');
  if (pattern?.text !== undefined) checkPattern(pattern.text, pattern.position, report);
}

function checkPattern(pattern: string, position: Position, report: Report): void {
  const tree = parsePattern(pattern);
  if (typeof tree === 'string') {
    report({ position }, `${pattern} is not a regular expression: ${tree}.`);
  } else if (/^\/\^?[^/]*\$\/[a-z]*$/.test(pattern)) {
    report({ position }, `${pattern} matches nothing. Write it without the slashes around it.`);
  } else if (isExponential(pattern)) {
    const message = `${pattern} can take a validator forever, because a repeated part of it can match the same text in several ways.`;
    report({ position }, `${message} Write it so that there is one way, such as ^a+$ for ^(a+)+$.`);
  }
}

function checkRequired(schema: SpecNode, report: Report): void {
  for (const name of undeclaredNames(schema)) {
    if (requiresMistake(schema.object ?? {}, name.value)) reportUndeclared(schema, name, report);
  }
}

/** A part without other properties refuses those that another part requires. */
function checkClosedParts(schema: SpecNode, report: Report): void {
  const parts = partsOf(schema, ['allOf']);
  for (const part of parts) {
    for (const name of part.get('required')?.items ?? []) {
      if (parts.every((each) => each === part || allowsMember(each, String(name.value)))) continue;
      report(
        name,
        `${name.value} is required, but a part of the same schema allows no such property. Write unevaluatedProperties: false beside allOf, in place of additionalProperties: false in a part.`,
      );
    }
  }
}

function reportUndeclared(schema: SpecNode, { value, position }: SpecNode, report: Report): void {
  const meant = orMeant(String(value), optionalNames(schema.object ?? {}));
  report(position, `${value} is required, but no property${meant}`);
}

/** Every required property is described. The rule `schema` reports those that are mistakes. */
export const requiredProperty = ruleForEach('required-property', allSchemas, (schema, report) => {
  for (const name of undeclaredNames(schema)) {
    if (!requiresMistake(schema.object ?? {}, name.value)) reportUndeclared(schema, name, report);
  }
});

const jsonTypes = 'array boolean integer null number object string'.split(' ');

/** Returns true for a value of the type (JSON Schema 2020-12, Validation §6.1.1). */
function isOfType({ value }: SpecNode, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeOfValue(value);
}

/** Other tools, also of other languages, check values against the same patterns. */
export const portablePattern = ruleForEach('portable-pattern', allSchemas, (schema, report) => {
  const pattern = schema.get('pattern');
  const parts = new Set(unportableParts(pattern?.text ?? ''));
  if (pattern === undefined || parts.size === 0) return;
  report(
    pattern,
    `Not every language reads ${[...parts].join(' and ')} in a pattern alike. Write classes such as [0-9], or \\u escapes.`,
  );
});

/** Each schema becomes a type of its name. */
export const schemaName: Rule = {
  name: 'schema-name',
  check({ components, operations }, report) {
    const resources = new Set(
      operations.map(({ node }) => node.get('x-client-method')?.text?.split('.')[0]?.toLowerCase()),
    );
    for (const { key, keyPosition } of components.schemas) {
      if (!isPascalCase(key)) {
        report(keyPosition, `Schema ${key} is not in PascalCase.`);
      } else if (reservedTypes.has(key)) {
        report(keyPosition, `Schema ${key} has the name of a type in the generated code.`);
      } else if (resources.has(key.toLowerCase())) {
        report(keyPosition, `Schema ${key} has the name of a resource of the client.`);
      }
    }
  },
};

/** File names have a pattern: the client refuses others, which could leave a folder (D-50). */
export const fileName = ruleForEach('file-name', allSchemas, (schema, report) => {
  const name = schema.at('properties', 'fileName');
  if (name && !name.follow().get('pattern')) {
    report(name.keyPosition, 'fileName has no pattern, which the client needs.');
  }
});

/** Validators know every format; they would accept any text for another one. */
export const knownFormat = ruleForEach('known-format', allSchemas, (schema, report) => {
  const format = schema.get('format');
  if (format?.text !== undefined && !isKnownFormat(format.text)) {
    report(format, `Format ${format.text} is not known${orMeantFormat(format.text)}`);
  }
});

/** Properties have a description, for documentation and types, or their reference's target has. */
export const propertyDescription = ruleForEach(
  'property-description',
  allSchemas,
  (schema, report) => {
    for (const property of schema.get('properties')?.members ?? []) {
      const prose = property.get('description') ?? property.follow().get('description');
      if (!prose?.text?.trim()) {
        report(property.keyPosition, `Property ${property.key} has no description.`);
      }
    }
  },
);
