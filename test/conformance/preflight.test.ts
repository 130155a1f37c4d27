import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';

describe('cors: preflight requests', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.close());

  const listed = (value: string | null) => value?.toLowerCase().split(/, */).sort();

  test.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    'cors: %s is allowed for every origin, without an API key',
    async (method) => {
      const { status, headers } = await service.raw(`/customers/${'0'.repeat(24)}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://partner.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,x-api-key',
        },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(listed(headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
      expect(listed(headers.get('access-control-allow-headers'))).toEqual([
        'authorization',
        'content-type',
        'idempotency-key',
        'x-api-key',
      ]);
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    },
  );

  test('cors: responses name the headers that a page may read, errors too', async () => {
    const { status, headers } = await service.raw('/hello-world');
    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('vary') ?? '').not.toMatch(/Origin/);
    expect(listed(headers.get('access-control-expose-headers'))).toEqual([
      ...['deprecation', 'link', 'ratelimit', 'ratelimit-policy'],
      ...['retry-after', 'sunset', 'x-request-id'],
    ]);
  });
});
