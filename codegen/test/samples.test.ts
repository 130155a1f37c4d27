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

/** The arguments that a shell would hand to curl, for each of these commands. */
function curlArguments(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; }\n${commands.join('\n')}`;
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return output
    .split('\0\0')
    .slice(0, -1)
    .map((line) => line.split('\0'));
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
      const calls = curlArguments(operations.map((operation) => curlSample(operation, baseUrl)));
      for (const [index, operation] of operations.entries()) {
        const args = calls[index] ?? [];
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
