import { type Client, type ClientOptions, createClient } from '../../src/index.js';
import type { TestService } from './test-service.js';

/** Creates a client that signs in as a user. */
export function clientOf(service: TestService, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: service.baseUrl,
    apiKey: 'adx_test_key',
    username: 'els.maes@kantoor-maes.example',
    password: 'zeer-geheim-ë-2026',
    ...options,
  } as ClientOptions);
}

export const customerId = '673f0c2a9b1d4e8f7a6c5b4d';
