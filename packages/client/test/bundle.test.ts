import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bundleClient, sizeBudget } from './bundle.js';

describe('client: the bundle', () => {
  it('client: stays within its size budget, openapi-fetch included', async () => {
    expect((await bundleClient()).gzippedSize).toBeLessThan(sizeBudget);
  });

  it('client: imports nothing, so nothing of Node', async () => {
    const { code } = await bundleClient();
    const imported = [...code.matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g)];
    expect(imported.map((match) => match[1])).toEqual([]);
    const named = [...code.matchAll(/["'`]([a-z_:/]+)["'`]/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => name.startsWith('node:') && isBuiltin(name))).toEqual([]);
    expect(code).not.toMatch(/\b(Buffer|__dirname|setImmediate)\b/);
  });

  it('client: leaves the operation table out', async () => {
    expect((await bundleClient()).code).not.toContain('customers:read');
  });
});
