import { type SpecOperation, spec, specYaml } from '@adx/contract/spec';
import { parse } from 'yaml';
import { postmanCollection } from '../../docs/reference/postman-collection.js';
import { readModel } from '../../docs/reference/read-model.js';

/** Returns the collection for Postman of the documentation, with values for its variables. */
export function filledCollection(values: Readonly<Record<string, string>>) {
  const collection = postmanCollection(readModel(specYaml), parse(specYaml));
  const variable = collection.variable.map(({ key, value }) => ({
    key,
    value: values[key] ?? value,
  }));
  return { ...collection, variable };
}

/** By the names of calls: those with an id of the examples find nothing, and all others succeed. */
export const expectedStatuses: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(spec.paths).flatMap(([path, item]) =>
    Object.values(item)
      .filter((part): part is SpecOperation => part instanceof Object && 'summary' in part)
      .map(({ summary }) => [summary, path.includes('{') ? 404 : 200]),
  ),
);
