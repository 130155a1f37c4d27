import { isBuiltin } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleClient, sizeBudget } from './support/bundle.js';

let bundle: Bundle;
let code: string;
beforeAll(async () => {
  bundle = await bundleClient();
  code = [...bundle.files.values()].join('\n');
});

describe('client: the bundle', () => {
  it('client: stays within its size budget, openapi-fetch included', () => {
    expect(bundle.main.gzippedSize).toBeLessThan(sizeBudget);
  });

  it('client: is one file, and further files for transfers and for changes', () => {
    const { files, main, download, upload } = bundle;
    expect(main.names).toEqual(['index.js']);
    expect(download.names.length * upload.names.length).toBeGreaterThan(0);
    for (const [name, text] of files) {
      expect(text.includes('AWS4-HMAC-SHA256')).toBe(name.startsWith('upload-'));
      // Files that are loaded later get what they need as parameters, and import nothing of the
      // client.
      expect(text).not.toMatch(/["']\.\/index\.js["']/);
    }
  });

  it('client: imports only its own files, and nothing of Node', () => {
    const imported = [...code.matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g)];
    const names = imported.map((match) => match[1]?.replace('./', '') ?? '');
    expect(names.filter((name) => !bundle.files.has(name))).toEqual([]);
    const named = [...code.matchAll(/["'`]([a-z_:/]+)["'`]/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => name.startsWith('node:') && isBuiltin(name))).toEqual([]);
    expect(code).not.toMatch(/\b(Buffer|__dirname|setImmediate)\b/);
  });

  it('client: has no class static blocks, which the Babel preset of React Native refuses', () => {
    expect(code).not.toMatch(/\bstatic\s*\{/);
  });

  it('client: does not contain the operation table', () => {
    expect(code).not.toContain('customers:read');
  });

  it('client: does not contain the errors of Node, of which web pages are not told', () => {
    expect(code).not.toContain('ECONNREFUSED');
  });
});
