import type { Client } from './client/client.gen.js';

type Calls = Readonly<Record<string, () => Promise<unknown>>>;

/** Calls that the server accepts. They have to compile. */
export const accepted = ({ value }: Client): Calls => ({
  'an object with anything': () => value.send({ anything: { colour: 'red', more: [1] } }),
  'an object with nothing': () => value.send({ nothing: {} }),
  'a part that only requires': () => value.send({ part: { code: 'x', more: 1 } }),
  'one of two required members': () => value.send({ either: { a: 'x' } }),
  'the other of two required members': () => value.send({ either: { b: 'x' } }),
  'a keyword beside a reference': () => value.send({ beside: { name: 'x', more: 1 } }),
  'a body with a keyword beside a reference': () => value.beside({ name: 'x' }),
  'a property and another one': () => value.send({ map: { id: 'x', n: 2 } }),
  'a property by its pattern': () => value.send({ patterns: { 'x-a': 1 } }),
  'a tuple without items': () => value.send({ tuple: [], begun: ['x'], ended: [] }),
  'a tuple with other items': () =>
    value.send({ tuple: ['x', true, false], begun: ['x', 1, 'more'], ended: ['x'] }),
  'a list of a fixed length': () => value.send({ pair: [1, 2] }),
  'a body that is a list of a fixed length': () => value.pair([{ name: 'x' }, {}]),
  'a list of constants that are lists': () => value.send({ constants: [[1], [1]], fixed: [1] }),
  'a name in the mapping of a discriminator': () => value.send({ pet: { kind: 'meow', lives: 9 } }),
  'another name of the same schema': () => value.send({ pet: { kind: 'purr', lives: 9 } }),
  'a schema by its name': () => value.send({ pet: { kind: 'Fish', fins: 2 } }),
  'a value that the mapping does not know': () => value.send({ pet: { kind: 'ruby' } }),
  'a number, which no mapping can have': () => value.send({ pet: { kind: 1 } }),
  'values that the schemas name themselves': () => value.send({ animal: { type: 'leech' } }),
  'a schema whose alternatives name their values': () =>
    value.send({ animal: { type: 'whale', song: 'x' } }),
  'an object in an enumeration': () => value.send({ mixed: { a: 1 } }),
  'a list in an enumeration': () => value.send({ mixed: [1] }),
  'null in an enumeration': () => value.send({ mixed: null, word: null, noValue: null }),
  'a constant object': () => value.send({ constant: { a: [1] } }),
  'null for a nullable object with parts': () => value.send({ nullable: null }),
  'an object for a nullable one with parts': () => value.send({ nullable: { a: 'x' } }),
  'no value where there is a default': () => value.send({ withDefault: {} }),
  'a property that is only read': () => value.send({ stored: { id: 'x' } }),
  'members that no schema evaluates': () =>
    value.send({ rest: { id: 'x', n: 1 }, restOfParts: { name: 'x', n: 1 } }),
  'parts that may have nothing else': () => value.send({ closedParts: { name: 'x' } }),
  'any value of an encoding': () => value.send({ encoded: 1 }),
  'an object without its own constructor': () => value.race(),
  'properties that every object inherits': () => value.race({ constructor: 'x', toString: 1 }),
});

/** Calls that the server refuses. The compiler has to refuse each of them too. */
export const refused = ({ value }: Client): Calls => ({
  // @ts-expect-error
  'a member where there are none': () => value.send({ nothing: { a: 1 } }),
  // @ts-expect-error
  'a part without what it requires': () => value.send({ part: { code: 'x' } }),
  // @ts-expect-error
  'neither of two required members': () => value.send({ either: {} }),
  // @ts-expect-error
  'no required member beside a reference': () => value.send({ beside: {} }),
  // @ts-expect-error
  'no required member beside the reference of a body': () => value.beside({}),
  // @ts-expect-error
  'another property of the wrong type': () => value.send({ map: { n: true } }),
  // @ts-expect-error
  'a property by its pattern of the wrong type': () => value.send({ patterns: { 'x-a': 'x' } }),
  // @ts-expect-error
  'an item of another type': () => value.send({ tuple: ['x', 'y'] }),
  // @ts-expect-error
  'no item where one is needed': () => value.send({ begun: [] }),
  // @ts-expect-error
  'an item after the last one': () => value.send({ ended: ['x', 'y'] }),
  // @ts-expect-error
  'another length': () => value.send({ pair: [1] }),
  // @ts-expect-error
  'another length of a body': () => value.pair([{ name: 'x' }]),
  // @ts-expect-error
  'a constant in place of a list of it': () => value.send({ constants: [1] }),
  // @ts-expect-error
  'another list than the constant': () => value.send({ fixed: [2] }),
  // @ts-expect-error
  'a name that no mapping has': () => value.send({ pet: { kind: 'hiss', lives: 9 } }),
  // @ts-expect-error
  'no name': () => value.send({ pet: { fins: 2 } }),
  // @ts-expect-error
  'the name of a schema in a mapping': () => value.send({ pet: { kind: 'Cat', lives: 9 } }),
  // @ts-expect-error
  'the name of another schema': () => value.send({ pet: { kind: 'meow', bark: 'x' } }),
  // @ts-expect-error
  'the name of a schema that names its values': () => value.send({ animal: { type: 'Worm' } }),
  // @ts-expect-error
  'another object than in an enumeration': () => value.send({ mixed: { a: 2 } }),
  // @ts-expect-error
  'another object than the constant': () => value.send({ constant: { a: [2] } }),
  // @ts-expect-error
  'null that an enumeration leaves out': () => value.send({ wordOnly: null }),
  // @ts-expect-error
  'a value for a schema that is false': () => value.send({ never: 1 }),
  // @ts-expect-error
  'a nullable object without what a part requires': () => value.send({ nullable: {} }),
  // @ts-expect-error
  'no value for a required property that is only read': () => value.send({ stored: {} }),
  // @ts-expect-error
  'a member that no part evaluates': () => value.send({ closedParts: { more: 1 } }),
  // @ts-expect-error
  'an item that no schema evaluates': () => value.send({ endedLast: ['x', 'y'] }),
  // @ts-expect-error
  'an alternative that contradicts the rest': () => value.send({ contradiction: 'red' }),
  // @ts-expect-error
  'a number for a text that every object inherits': () => value.race({ constructor: 1 }),
});

/** The server alone refuses what no type can say. */
export const refusedByServer = ({ value }: Client): Calls => ({
  'a short text': () => value.send({ limited: 'a' }),
  'a text that a schema excludes': () => value.send({ limited: 'abc' }),
  'half an integer': () => value.send({ withDefault: { size: 0.5 } }),
  'the type of a property under another name': () => value.send({ map: { n: 'x' } }),
  'a property by none of the patterns': () => value.send({ patterns: { a: 1 } }),
});

/** The compiler alone refuses a misspelt name, and anything but objects for properties. */
export const refusedByCompiler = ({ value }: Client): Calls => ({
  // @ts-expect-error
  'a property that is not declared': () => value.beside({ name: 'x', nmae: 'y' }),
  // @ts-expect-error
  'a property that no part declares': () => value.send({ typedParts: { nmae: 'y' } }),
  'a property beside those that a part requires': () =>
    // @ts-expect-error
    value.send({ part: { code: 'x', more: 1, nmae: 'y' } }),
  // @ts-expect-error
  'a number for properties without a type': () => value.send({ untyped: 1 }),
});
