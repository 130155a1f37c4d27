import { type Operation, operations } from '@adx/contract';
import { basePath } from './validation/operation-validator.js';

/**
 * The headers that a deprecated operation adds to each of its responses, once the API key was accepted (D-40):
 * `Deprecation` (RFC 9745), `Sunset` and the link `sunset` (RFC 8594) to its documentation, and the link
 * `successor-version` (RFC 5829) to the operation that replaces it, if its path has no parameters.
 *
 * @param publicUrl - the URL of this deployment
 */
export function headersOfDeprecation(
  { operationId, deprecation }: Operation,
  publicUrl: string,
): Record<string, string> {
  if (deprecation === undefined) return {};
  const { since, sunset, replacedBy } = deprecation;
  const documentation = `<${publicUrl}/docs/reference/#operation/${operationId}>`;
  const successor = Object.entries<Operation>(operations).find(
    ([name]) => name === replacedBy,
  )?.[1];
  const links = [
    `${documentation}; rel="deprecation"; type="text/html"`,
    ...(sunset === undefined ? [] : [`${documentation}; rel="sunset"; type="text/html"`]),
    ...(successor === undefined || successor.path.includes('{')
      ? []
      : [`<${publicUrl}${basePath}${successor.path}>; rel="successor-version"`]),
  ];
  return {
    Deprecation: `@${new Date(since).getTime() / 1000}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    Link: links.join(', '),
  };
}
