import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlSample, typescriptSample } from '../src/emit/samples.js';
import type { ApiModel } from '../src/model/api-model.js';
import { buildApiModel } from '../src/model/build-api-model.js';
import { loadSpecification } from '../src/render.js';
import { corpus } from './support/corpus.js';
import { openapi } from './support/generate-into.js';
import { temporaryRepository } from './support/temporary-repository.js';
import { typeCheck } from './support/type-check.js';

async function modelOf(specification: string): Promise<ApiModel> {
  const outcome = await loadSpecification(specification);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
  return buildApiModel(outcome.value);
}

/** What the shell would hand to curl. */
function curlArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('codegen: samples', () => {
  it('in TypeScript compile with the client', async () => {
    const { operations, baseUrl } = await modelOf(openapi);
    const { root, write } = temporaryRepository(openapi);
    const files = operations.map((operation) =>
      write(`samples/${operation.id}.ts`, typescriptSample(operation, baseUrl)),
    );
    expect(files).toHaveLength(23);
    expect(typeCheck(root, files)).toEqual([]);
  });

  it.each([...corpus('valid'), { name: 'openapi.yaml', text: openapi }])(
    'for curl of $name say the same to a shell',
    async ({ text }) => {
      const { operations, baseUrl } = await modelOf(text);
      for (const operation of operations) {
        const args = curlArguments(curlSample(operation, baseUrl));
        expect(args.slice(0, 2)).toEqual(['--request', operation.method.toUpperCase()]);
        expect(args[2]).toMatch(/^https:\/\/[^{}]+$/);
        const body = args[args.indexOf('--data') + 1];
        if (operation.body) expect(JSON.parse(body ?? '')).toEqual(operation.body.sample);
        else expect(args).not.toContain('--data');
        expect(args.includes('authorization: Bearer <ID_TOKEN>')).toBe(operation.requiresIdToken);
      }
    },
  );
});
