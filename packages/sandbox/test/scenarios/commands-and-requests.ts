import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCatalogue } from '@adx/contract';
import { looksLikeCoda } from '@adx/statements';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/free-port.js';
import { listScenarios, scenarioDescriptions } from '../../src/scenarios/descriptions.js';
import { saveSettings } from '../../src/settings-file.js';
import { apiKey, dataDir, run, send } from './scenario-sandbox.js';

/** Tests of the two ways to do a scenario, and of what they refuse. */
export function testCommandsAndRequests(): void {
  test('D-20 the API keys of the sandbox begin with adx_test_', () => {
    expect(apiKey()).toMatch(/^adx_test_/);
  });

  describe('D-53 adx-sandbox scenario', () => {
    const scenarioCommand = (...parameters: string[]) => run('scenario', ...parameters);

    test('D-53 it lists the scenarios, and each has help', async () => {
      const { exitCode, stdout } = await scenarioCommand();
      expect(exitCode).toBe(0);
      for (const { name, description } of listScenarios()) {
        expect(stdout).toContain(name);
        expect(stdout).toContain(description);
      }
      const help = await scenarioCommand('file', '--help');
      expect(help).toMatchObject({ exitCode: 0, stderr: '' });
      expect(help.stdout).toContain('--mandate-id <value>');
    });

    test('D-53 it does a scenario, and prints what it did', { tags: 'long' }, async () => {
      const set = ['error', '--code', 'notFound', '--operation', 'getCustomer', '--calls', '0'];
      expect(await scenarioCommand(...set, '--data', dataDir, '--json')).toEqual({
        exitCode: 0,
        stdout: '{"code":"notFound","calls":0,"operations":["getCustomer"]}\n',
        stderr: '',
      });
      expect(
        await scenarioCommand('--data', dataDir, 'mandate', '--status', 'error'),
      ).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^mandateId +[\da-f]{24}$[\s\S]*^status +error$/m),
      });
    });

    test('D-53 it writes the files that --via answer returns', { tags: 'long' }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'adx-files-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const parameters = ['file', '--kind', 'correction', '--out', join(folder, 'new')];
      const { stdout } = await scenarioCommand(...parameters, '--data', dataDir, '--json');
      const { via, files } = JSON.parse(stdout);
      expect([via, files.length]).toEqual(['answer', 2]);
      for (const path of files) {
        expect(path.startsWith(join(folder, 'new'))).toBe(true);
        expect(looksLikeCoda(readFileSync(path))).toBe(true);
      }
    });

    test.each([
      [['file', '--out', '.', '--via', 'upload'], 1, /^error: --out is for --via answer/],
      [['tiem'], 2, /^error: There is no scenario tiem\. .* file, time\. Did you mean time\?\n$/],
      [['time', '--weeks', '1'], 2, /unknown option '--weeks'/],
      [['time', '--hours', 'two'], 2, /It is not a whole number/],
      [['error', '--code', 'oops'], 2, /Allowed choices are unknownField/],
      [['mandate'], 2, /required option '--status <value>'/],
      [['time'], 1, /^error: Say how much time passes/],
      [['file', '--kind', 'late'], 1, /^error: Give the --mandate-id of a mandate whose/],
    ])(
      'D-53 %j is refused in plain words',
      { tags: 'long' },
      async (parameters, expected, message) => {
        const { exitCode, stdout, stderr } = await scenarioCommand(
          ...parameters,
          '--data',
          dataDir,
        );
        expect({ exitCode, stdout }).toEqual({ exitCode: expected, stdout: '' });
        expect(stderr).toMatch(message);
      },
    );

    test('D-53 the README describes the scenarios, and no others', () => {
      const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
      const [, table = ''] = readme.split(/^\| Scenario .*$/m);
      const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
      expect(rows).toEqual(listScenarios().map(({ name }) => name));
    });

    test('D-53 if the sandbox does not answer, it says so and why', { tags: 'long' }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'adx-silent-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const silent = `http://127.0.0.1:${await findFreePort()}`;
      await saveSettings(folder, { PUBLIC_URL: silent });
      const answer = await scenarioCommand('time', '--hours', '1', '--data', folder);
      expect(answer).toMatchObject({
        exitCode: 1,
        stderr: `error: The sandbox at ${silent} does not answer (ECONNREFUSED): see ${join(folder, 'service.log')}\n`,
      });
    });

    test.each([
      [fileURLToPath(import.meta.url), 'EEXIST: file already exists'],
      ['/proc/none', 'ENOENT: no such file or directory'],
    ])(
      'D-53 the folder %s, which cannot be made, is refused before anything happens',
      {
        tags: 'long',
      },
      async (out, reason) => {
        // No sandbox is running, of which it would be told later.
        const { exitCode, stderr } = await scenarioCommand('file', '--out', out);
        expect({ exitCode, stderr: stderr.split(',')[0] }).toEqual({
          exitCode: 1,
          stderr: `error: ${reason}`,
        });
      },
    );

    test('D-53 without a running sandbox it says how to start one', { tags: 'long' }, async () => {
      const { exitCode, stderr } = await scenarioCommand('time', '--hours', '1');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^error: No sandbox is running on .*: start one with `adx-sandbox start`/,
      );
    });
  });

  describe('D-53 scenarios over HTTP', () => {
    const json = { 'Content-Type': 'application/json' };

    test('D-53 GET /sandbox/ lists each scenario with its options and an example', async () => {
      const { status, body } = await send('GET', '/sandbox/');
      expect(status).toBe(200);
      const { scenarios } = JSON.parse(body);
      expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(
        Object.keys(scenarioDescriptions),
      );
      expect(scenarios[0].options[0]).toMatchObject({
        name: 'code',
        type: 'string',
        required: true,
        values: Object.keys(errorCatalogue),
      });
    });

    test.each<[number, string, string, Record<string, string>, string, RegExp]>([
      [
        404,
        'POST',
        '/sandbox/tiem',
        json,
        '{}',
        /There is no scenario tiem\. The scenarios: error, .*\. Did you mean time\?$/,
      ],
      [404, 'GET', '/sandbox/tiem', {}, '', /There is no scenario tiem/],
      [405, 'GET', '/sandbox/time', {}, '', /Send a POST request to \/sandbox\/time/],
      [415, 'POST', '/sandbox/time', { 'Content-Type': 'text/plain' }, '{}', /application\/json/],
      [400, 'POST', '/sandbox/time', json, '[', /The body is not a JSON object/],
      [400, 'POST', '/sandbox/time', json, '{}', /Say how much time passes/],
      [
        400,
        'POST',
        '/sandbox/time',
        json,
        '{"weeks":1}',
        /^time has no weeks; it has days, hours, minutes, seconds$/,
      ],
      [400, 'POST', '/sandbox/mandate', json, '{}', /^status is required$/],
      [400, 'POST', '/sandbox/mandate', json, '{"status":"done"}', /^status: .*"finished"/],
      [400, 'POST', '/sandbox/error', json, '{"code":"tooMany"}', /code: .*"tooManyRequests"/],
      [
        400,
        'POST',
        '/sandbox/error',
        json,
        '{"code":"invalidIban","operation":"helloWorld"}',
        /^helloWorld does not answer invalidIban\. Its errors: .*tokenExpired/,
      ],
      [403, 'GET', '/sandbox/', { Host: 'evil.example:3000' }, '', /only for this machine/],
      [
        403,
        'POST',
        '/sandbox/time',
        { ...json, Origin: 'https://evil.example' },
        '{"days":1}',
        /another origin/,
      ],
      [403, 'POST', '/sandbox/time', { ...json, Origin: 'null' }, '{"days":1}', /another origin/],
    ])(
      'D-53 %i for %s %s with %j and %s',
      async (expected, method, path, headers, sent, message) => {
        const { status, body } = await send(method, path, headers, sent);
        expect(status).toBe(expected);
        expect(JSON.parse(body).error).toMatch(message);
      },
    );

    test('D-53 a page of the sandbox itself may do scenarios', async () => {
      const headers = { ...json, Host: 'localhost:1', Origin: 'http://localhost:1' };
      const body = '{"code":"notFound","calls":0}';
      expect((await send('POST', '/sandbox/error', headers, body)).status).toBe(200);
    });
  });
}
