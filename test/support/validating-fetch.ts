import { validateResponse } from './validate-response.js';

/**
 * `fetch` that holds every answer of the interface against the spec and throws where it differs.
 *
 * Every test calls the service through it, so that an undocumented status or shape fails the run
 * wherever it turns up. The findings are kept as well (`takeFindings`): the client takes what its
 * `fetch` throws for a lost connection, and a test that expects a failure would be content with it.
 */
export const validatingFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await fetch(request);
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/v1/') || request.method === 'OPTIONS') return response;
  const findings = validateResponse(request.method, pathname.slice('/v1'.length), {
    status: response.status,
    contentType: response.headers.get('content-type'),
    requestId: response.headers.get('x-request-id'),
    body: request.method === 'HEAD' ? '' : await response.clone().text(),
  });
  if (findings.length > 0) {
    recorded.push(...findings);
    throw new SpecificationError(findings);
  }
  return response;
};

const recorded: string[] = [];

/** What was found since the last time, and forgets it. */
export function takeFindings(): string[] {
  return recorded.splice(0);
}

/** An answer that the interface does not document. */
export class SpecificationError extends Error {
  constructor(findings: readonly string[]) {
    super(`The answer is not what the specification says:\n${findings.join('\n')}`);
    this.name = 'SpecificationError';
  }
}
