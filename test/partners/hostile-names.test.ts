import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestService } from '../../packages/client/test/support/test-service.js';
import { TestStorage } from '../../packages/client/test/support/test-storage.js';
import { oneIn } from '../support/rounds.js';
import { createSampleProject, type RunProgram, type SampleProject } from './run-samples.js';
import { installedPrograms, wholePrograms } from './whole-programs.js';

let service: TestService;
let storage: TestStorage;
let project: SampleProject;
let outside: string;
beforeAll(async () => {
  [service, storage, project, outside] = await Promise.all([
    TestService.start(),
    TestStorage.start(),
    createSampleProject(),
    mkdtemp(join(tmpdir(), 'adx-hostile-')),
  ]);
  storage.answering = (response) => response.writeHead(200, { 'content-length': 5 }).end('00000');
});
afterAll(async () => {
  await Promise.all([service.stop(), storage.stop(), project.remove()]);
  await rm(outside, { recursive: true });
});

test('D-50 there are programs that store files in six languages', () => {
  // The program for payroll files is the same with other words.
  const programs = wholePrograms.filter(({ name }) => name === 'sync');
  const languages = programs.map(({ language }) => language);
  expect(languages.sort()).toEqual(['C#', 'Java', 'PHP', 'Python', 'TypeScript', 'curl']);
});

async function run(runProgram: RunProgram) {
  const { baseUrl: ADX_URL } = service;
  const settings = { ADX_URL, ADX_API_KEY: 'k', ADX_USERNAME: 'u', ADX_PASSWORD: 'p' };
  const before = await files();
  const { exitCode } = await runProgram('program', settings);
  const after = await files();
  await project.shell('rm -rf statements payroll', {});
  return { exitCode, written: after.filter((path) => !before.includes(path)) };
}

async function files(): Promise<string[]> {
  const { stdout } = await project.shell('find . -type f', {});
  return stdout.trim().split('\n');
}

const hostile = oneIn(4, ['../escape.cod', '/ABSOLUTE/escape.cod', 'statement.cod\n', 'nul.cod']);

test.each(oneIn(3, installedPrograms('sync')))(
  'D-50 the program in $language writes nothing under a name that leads elsewhere',
  async ({ language, source }) => {
    const runProgram = await project.build(language, { program: source });
    for (const name of [...hostile, 'BE71096123456769_EUR_2026_042.cod']) {
      const fileName = name.replace('/ABSOLUTE', outside);
      const urls = { coda: `${storage.url}/a`, codb: `${storage.url}/a` };
      const file = { id: 'a', statementDate: '2026-03-02', processedOn: 'x', fileName, urls };
      const groups = [{ files: [file] }];
      const answer = () => ({ json: [{ ibans: groups, payrollProviders: groups }] });
      for (const list of ['coda-files', 'codb-files']) {
        service.on(`POST /${list}`, answer);
        service.on(`POST /${list}/acknowledgements`, () => ({ json: {} }));
      }
      const { exitCode, written } = await run(runProgram);
      if (hostile.includes(name)) expect([fileName, written]).toEqual([fileName, []]);
      else
        expect({ exitCode, written }).toEqual({
          exitCode: 0,
          written: [expect.stringMatching(/^\.\/\w+\/BE/)],
        });
      expect(await readdir(outside)).toEqual([]);
    }
  },
);

test.each([...installedPrograms('sync'), ...installedPrograms('upload')])(
  'D-54 the program $name in $language signs in with any username and password',
  async ({ language, source }) => {
    const [username, password] = ['o"b\\rien $x é🙂&', 'p\'w"\\é🙂'];
    service.received.length = 0;
    service.on('POST /token', () => ({ status: 403, json: {} }));
    const runProgram = await project.build(language, { program: source });
    const settings = { ADX_URL: service.baseUrl, ADX_API_KEY: 'k', ADX_USERNAME: username };
    // Java reads settings in the encoding of the locale.
    await runProgram('program', { ...settings, ADX_PASSWORD: password, LC_ALL: 'C.UTF-8' });
    const [request] = service.received;
    const passwordInBase64 = Buffer.from(password).toString('base64');
    expect(request?.body).toEqual({ username, password: passwordInBase64 });
  },
);
