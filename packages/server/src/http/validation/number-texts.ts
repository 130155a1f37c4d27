import { numberIn, type RequestDescription } from '@adx/contract/requests';
import type { Request } from 'express';

/** Looks like no number to the validator. */
const noNumber = 'NaN';

/** The parts of a request that hold parameters, by the place that the spec names. */
const holders = { path: 'params', query: 'query', header: 'headers' } as const;

/**
 * Returns the function that makes the validator refuse what only JavaScript takes for a number in
 * parameters, such as `0x1F`, ` 12`, `+5` and `1e999`: it would convert them before it validates.
 */
export function createNumberCheck({ parameters }: RequestDescription): (request: Request) => void {
  const numbers = parameters.filter(({ value }) =>
    [value, value.items()]
      .flatMap(({ forms }) => forms.flatMap(({ type = [] }) => type))
      .some((type) => type === 'integer' || type === 'number'),
  );
  if (numbers.length === 0) return () => {};
  return (request) => {
    // Express would parse the query again.
    const { query } = request;
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
    for (const { name, in: place } of numbers) {
      const holder = request[holders[place]];
      const key = place === 'header' ? name.toLowerCase() : name;
      const sent: unknown = Reflect.get(holder, key);
      if (Array.isArray(sent)) Reflect.set(holder, key, sent.map(checked));
      else if (sent !== undefined) Reflect.set(holder, key, checked(sent));
    }
  };
}

function checked(sent: unknown): unknown {
  return typeof sent === 'string' && numberIn(sent) === undefined ? noNumber : sent;
}
