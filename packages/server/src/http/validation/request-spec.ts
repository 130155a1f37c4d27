import { follow, type SpecDocument } from '@adx/contract/spec';

/** The components of a document, by section and name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Returns the requests of a spec, for `express-openapi-validator`.
 *
 * It compiles the schema of every reference that it meets, also of those in responses, which it never validates. Those
 * took a third of the time in which a process starts. So there are no responses, no components that only
 * they refer to, and no reference where it looks a schema up: the schema of a body or a parameter.
 *
 * It would also refuse characters in the query that RFC 3986 allows, and the `+` that `URLSearchParams` writes for a
 * space.
 *
 * Schemas are those of the document itself, which is safe: the validator changes only its own copy.
 */
export function requestSpec(document: SpecDocument) {
  const { paths, components, ...others } = JSON.parse(
    JSON.stringify(document, (_name, part) =>
      typeof part?.operationId === 'string' ? { ...part, responses: {} } : part,
    ),
    (_name, part) =>
      part?.schema === undefined
        ? part
        : {
            ...part,
            schema: follow(part.schema, document),
            ...(part.in === 'query' && { allowReserved: true }),
          },
  );
  return { ...others, paths, components: componentsOf(paths, components) };
}

/** Returns the components that a part of a spec refers to, and those that they refer to. Security schemes are named without a reference. */
function componentsOf(part: unknown, { securitySchemes = {}, ...all }: Components): Components {
  const found: Record<string, Record<string, unknown>> = { securitySchemes };
  const collect = (from: unknown) => {
    for (const [, section = '', name = ''] of JSON.stringify(from).matchAll(reference)) {
      if (found[section]?.[name] !== undefined) continue;
      const component = all[section]?.[name];
      found[section] = { ...found[section], [name]: component };
      collect(component);
    }
  };
  collect(part);
  return found;
}

const reference = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;
