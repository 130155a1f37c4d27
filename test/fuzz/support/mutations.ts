import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.js';

type Mutation = (value: unknown) => unknown;

const fieldName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'a.b', 'a/b', '', '$ref', 'limit'),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);

/** Any JSON value, also values that no field allows. */
const anyJson = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '\u0000',
    '\ud800',
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
  ),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Returns the JSON with one node changed; the numbers choose the node. */
function at(steps: readonly number[], change: Mutation): Mutation {
  const [step, ...rest] = steps;
  return (value) => {
    if (step === undefined || typeof value !== 'object' || value === null) return change(value);
    const keys = Object.keys(value);
    const key = keys[step % (keys.length || 1)];
    if (key === undefined) return change(value);
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const child = Reflect.get(value, key);
    Object.defineProperty(copy, key, {
      value: at(rest, change)(child),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return copy;
  };
}

const remove =
  (step: number): Mutation =>
  (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const keys = Object.keys(value);
    const gone = keys[step % (keys.length || 1)];
    return Array.isArray(value)
      ? value.slice(1)
      : Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone));
  };

const add =
  (name: string, child: unknown): Mutation =>
  (value) => {
    if (Array.isArray(value)) return [...value, child];
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    // Unlike a literal, this can create a field with the name __proto__.
    return Object.fromEntries([...fields, [name, child]]);
  };

const steps = fc.array(fc.nat(12), { maxLength: 4 });

export const mutation: fc.Arbitrary<Mutation> = fc
  .array(
    fc.oneof(
      fc.tuple(steps, anyJson).map(([path, value]) => at(path, () => value)),
      fc.tuple(steps, fc.nat(12)).map(([path, step]) => at(path, remove(step))),
      fc.tuple(steps, fieldName, anyJson).map(([path, name, value]) => at(path, add(name, value))),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((changes) => (value) => changes.reduce((changed, change) => change(changed), value));

/** Generates changes of the text of a body, most of which make it invalid. */
export const textMutation: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.nat(500).map((cut) => (text: string) => text.slice(0, cut % (text.length + 1))),
  fc
    .tuple(fc.nat(500), fc.string({ unit: anyCharacter, maxLength: 4 }))
    .map(([place, piece]) => (text: string) => {
      const split = place % (text.length + 1);
      return text.slice(0, split) + piece + text.slice(split);
    }),
  fc.constant((text: string) => text + text),
);
