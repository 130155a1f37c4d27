import { validateResponse } from './validate-response.js';

/**
 * `fetch` that validates every response of the interface against the spec, and throws if it
 * differs.
 *
 * Every test calls the service through it, so that an undocumented status or shape fails the run in
 * any test. The findings are also kept (`takeFindings`), because the client treats an error of its
 * `fetch` as a lost connection, and a test that expects a failure would pass.
 */
export const validatingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (!pathname.startsWith('/v1/') || method === 'OPTIONS') return response;
  const { status, headers } = response;
  // Read once and passed on as text, which takes half the CPU time of reading a clone.
  const body = await response.text();
  const findings = validateResponse(method, pathname.slice('/v1'.length), {
    status,
    headers,
    body,
  });
  if (findings.length > 0) {
    recorded.push(...findings);
    throw new SpecificationError(findings);
  }
  return new Response(body === '' ? null : body, response);
};

const recorded: string[] = [];

export function takeFindings(): string[] {
  return recorded.splice(0);
}

export class SpecificationError extends Error {
  constructor(findings: readonly string[]) {
    super(`The response differs from the specification:\n${findings.join('\n')}`);
    this.name = 'SpecificationError';
  }
}
