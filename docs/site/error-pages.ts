import { type ErrorCode, errorCatalogue, type Operation, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { errorGuide } from './error-guide.js';

/** Every error code, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue).filter(isErrorCode);

function isErrorCode(code: string): code is ErrorCode {
  return code in errorCatalogue;
}

/** Returns the path of the page of an error code, without an extension. */
export function errorPath(code: ErrorCode): string {
  return `errors/${code}`;
}

/**
 * Returns the page of an error code: its status and message, when it occurs, what to do, and which operations
 * answer it.
 *
 * @throws if `error-guide.ts` has no advice on the code
 */
export function errorPage(code: ErrorCode): string {
  const advice = errorGuide[code];
  if (!advice) throw new Error(`docs/site/error-guide.ts says nothing about ${code}`);
  const { status, message } = errorCatalogue[code];
  return [
    `# ${code}`,
    `Status **${status}**: ${message}`,
    '## When',
    advice.when,
    '## What to do',
    advice.action,
    '## Operations',
    operationsWith(code),
    '',
  ].join('\n\n');
}

function operationsWith(code: ErrorCode): string {
  const all = Object.values<Operation>(operations);
  const own = all.filter(({ errors }) => errors.includes(code));
  if (own.length === all.length) return 'All operations.';
  const others = all.filter(({ errors }) => !errors.includes(code));
  if (others.length < 4) {
    return `All operations except ${others.map(linkTo).join(', ')}.`;
  }
  return own.map((each) => `- ${linkTo(each)}`).join('\n');
}

/** `[Get customer](#operation/getCustomer)` */
function linkTo({ operationId, method, path }: Operation): string {
  return `[${spec.paths[path]?.[method]?.summary ?? operationId}](#operation/${operationId})`;
}

/** Returns the table of all codes: code with a link to its page, status, message. */
export function errorTable(): string {
  return [
    '| Code | Status | Message |',
    '| --- | --- | --- |',
    ...errorCodes.map((code) => {
      const { status, message } = errorCatalogue[code];
      return `| [\`${code}\`](/${errorPath(code)}.md) | ${status} | ${message} |`;
    }),
  ].join('\n');
}
