import type { TestService } from '../../../../test/support/test-service.js';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { idToken?: string; refreshToken?: string; error?: string; message?: string };
}

export const unavailable = { status: 503, retryAfter: '5', body: { error: 'unavailable' } };
export const invalid = { status: 500, body: { error: 'Invalid refresh token' } };

/** Returns functions that call `POST /token` of a service, with a usual password. */
export function tokenCalls(service: TestService, apiKey: string, usual: string) {
  async function token(body: object, key = apiKey): Promise<Answer> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const call = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await service.raw('/token', call);
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, body: (await response.json()) as Answer['body'] };
  }
  return {
    token,
    signIn: (username: string, password = usual) =>
      token({ username, password: Buffer.from(password).toString('base64') }),
    refresh: (refreshToken = '') => token({ refreshToken }),
  };
}
