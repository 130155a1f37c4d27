import type { Operation, OperationResponse } from '../../model/api-model.js';

const statuses = {
  ClientErrorStatus: [
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421,
    422, 423, 424, 425, 426, 428, 429, 431, 451,
  ],
  ServerErrorStatus: [500, 501, 502, 503, 504, 505, 506, 507, 508, 511],
};

/** The types of a status that is not documented by itself. */
export const errorStatuses = `${Object.entries(statuses)
  .map(
    ([name, codes]) => `export type ${name} =${codes.map((code) => `\n  | ${code}`).join('')};\n\n`,
  )
  .join('')}`;

export function usesRange({ responses }: Operation): boolean {
  return responses.some(({ status }) => !/^\d+$/.test(status));
}

/** Returns the type of the status: `default` and `4XX` stand for those not documented alone. */
export function statusType({ status }: OperationResponse, { responses }: Operation): string {
  if (/^\d+$/.test(status)) return status;
  const documented = responses.map((each) => each.status);
  const hasSuccess = documented.some((each) => each.startsWith('2'));
  const digits = status === 'default' && hasSuccess ? ['4', '5'] : [status.charAt(0)];
  const ranges = digits.filter(
    (digit) => status !== 'default' || !documented.includes(`${digit}XX`),
  );
  const names = ranges.map((digit) => nameOfRange.get(digit));
  if (names.some((name) => name === undefined)) return 'number';
  const own = documented.filter((each) => /^\d+$/.test(each) && ranges.includes(each.charAt(0)));
  const all = names.join(' | ') || 'never';
  return own.length === 0 ? all : `Exclude<${all}, ${own.join(' | ')}>`;
}

const nameOfRange = new Map([
  ['4', 'ClientErrorStatus'],
  ['5', 'ServerErrorStatus'],
]);
