import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestService } from '../../packages/client/test/support/test-service.js';
import { TestStorage } from '../../packages/client/test/support/test-storage.js';
import { createSampleProject, type SampleLanguage, type SampleProject } from './run-samples.js';
import { installedPrograms, type WholeProgram } from './whole-programs.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
let project: SampleProject;
beforeAll(async () => {
  project = await createSampleProject();
});
afterAll(() => project.remove());

const acknowledgement = 'POST /coda-files/acknowledgements';
beforeEach(() => {
  const file = {
    ...{ id: 'a', statementDate: '2026-03-02', statementNumber: 1, processedOn: 'x' },
    fileName: 'BE71096123456769_EUR_2026_042.cod',
    urls: { coda: `${storage.url}/a?X-Amz-Signature=secret` },
  };
  service.on('POST /coda-files', () => ({ json: [{ ibans: [{ files: [file] }] }] }));
  service.on(acknowledgement, () => ({ json: {} }));
  const credentials = {
    ...{ region: 'eu-west-1', bucketName: 'b', prefix: 'p', endpoint: storage.url },
    ...{ accessKeyId: 'a', secretAccessKey: 's', sessionToken: 'secret' },
  };
  service.on('POST /coda-files/upload-credentials', () => ({ json: credentials }));
});

async function run({ language, source }: WholeProgram) {
  const settings = { ADX_URL: service.baseUrl, ADX_API_KEY: 'k', ADX_USERNAME: 'u' };
  const runProgram = await project.build(language, { program: source });
  return runProgram('program', { ...settings, ADX_PASSWORD: 'p' });
}

const programs = installedPrograms('sync');
const uploads = installedPrograms('upload');

test.each([...programs, ...uploads])(
  'D-50 the program $name in $language says the status of a refused file, but not its address, with which anyone could read or replace it',
  async (program) => {
    // Not in UTF-8.
    const page = Buffer.from('Accès refusé', 'latin1');
    storage.answering = (response) => response.writeHead(403).end(page);
    const { exitCode, stdout, stderr } = await run(program);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('403');
    expect(stdout + stderr).not.toMatch(/secret|Unicode/);
  },
);

// The client tries again for more than a minute.
test.each(uploads.filter(({ language }) => language !== 'TypeScript'))(
  'D-50 the program upload in $language says of a storage without an answer not the address',
  async (program) => {
    storage.answering = (response) => response.destroy();
    const { exitCode, stdout, stderr } = await run(program);
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).not.toContain('secret');
  },
);

test.each(programs)(
  'D-50 the program in $language acknowledges no file whose address redirects to one where nothing is',
  async (program) => {
    const acknowledged: unknown[] = [];
    service.on('POST /coda-files/acknowledgements', (request) => {
      acknowledged.push(request);
      return { json: {} };
    });
    storage.answering = (response, { url }) =>
      response.writeHead(url === '/gone' ? 404 : 302, { location: '/gone' }).end();
    const { exitCode } = await run(program);
    expect(exitCode).not.toBe(0);
    expect(acknowledged).toEqual([]);
  },
);

// The client leaves the file to the next run, and so does curl. In C#, Mono sometimes loses the
// request after a connection that broke.
const others = ['TypeScript', 'curl', 'C#'];
test.each(programs.filter(({ language }) => !others.includes(language)))(
  'D-50 the program in $language downloads a file again that has arrived in part',
  async (program) => {
    for (const headers of [{ 'content-length': 5 }, { 'transfer-encoding': 'chunked' }]) {
      let count = 0;
      storage.answering = (response) => {
        count += 1;
        if (count > 1) return response.writeHead(200, { 'content-length': 5 }).end('00000');
        return response.writeHead(200, headers).write('00', () => response.destroy());
      };
      expect(await run(program)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(count).toBe(2);
    }
  },
);

test.each(programs)(
  'D-50 the program in $language acknowledges no file that is elsewhere',
  async (program) => {
    storage.answering = (response) => response.writeHead(302, { location: '/b' }).end('Found');
    expect((await run(program)).exitCode).not.toBe(0);
    expect(service.count(acknowledgement)).toBe(0);
  },
);

test.each([...programs, ...uploads])(
  'D-50 the program $name in $language takes no other page for an answer, and says so',
  async (program) => {
    const pages = [
      { status: 301, headers: { location: service.baseUrl } },
      { text: '<html>Sign in to the network</html>' },
    ];
    for (const page of pages) {
      service.on('POST /coda-files', () => page);
      service.on('POST /coda-files/upload-credentials', () => page);
      const { exitCode, stderr } = await run(program);
      expect(exitCode).not.toBe(0);
      expect(stderr).not.toContain('TypeError');
    }
  },
);

test.each(programs.filter(({ language }) => language !== 'TypeScript'))(
  'D-50 the program in $language downloads a file again of which no more comes',
  async (program) => {
    storage.answering = (response) => {
      storage.answering = (next) => next.writeHead(200, { 'content-length': 5 }).end('00000');
      response.writeHead(200, { 'content-length': 5 }).write('00');
    };
    const source = program.source.replaceAll(
      /(timeout\D+|max-time |Seconds\(|get\()[36]0/gi,
      '$11',
    );
    expect(await run({ ...program, source })).toMatchObject({ exitCode: 0 });
    expect(storage.received.length).toBe(2);
  },
);

test.each(programs)(
  'D-50 the program in $language tries again where a proxy says until when it is busy',
  async (program) => {
    storage.answering = (response) => {
      storage.answering = (next) => next.writeHead(200, { 'content-length': 5 }).end('00000');
      // curl 7.88 waits for ever until an instant that has passed.
      const until = new Date(Date.now() + 2_000).toUTCString();
      response.writeHead(503, { 'retry-after': until }).end();
    };
    expect(await run(program)).toMatchObject({ exitCode: 0 });
  },
);

test.each([...programs, ...uploads])(
  'D-20 the program $name in $language ends with an error at a redirect, which would send the key to another host',
  async (program) => {
    const location = `${storage.url}/token`;
    service.on('POST /token', () => ({ status: 302, headers: { location }, json: {} }));
    expect((await run(program)).exitCode).not.toBe(0);
    expect(storage.received.filter(({ headers }) => 'x-api-key' in headers)).toEqual([]);
  },
);

/** Takes the place of the beginning of a program's main method, and prints what it catches. */
const catching: Readonly<Partial<Record<SampleLanguage, readonly [string, string]>>> = {
  'C#': [
    'static async Task Main()',
    `static async Task Main()
    {
        try { await Run(); }
        catch (ApiException error) { Console.WriteLine($"{error.Status} {error.Code}"); }
    }

    static async Task Run()`,
  ],
  Java: [
    'public static void main(String[] arguments) throws Exception {',
    `public static void main(String[] arguments) throws Exception {
        try { run(); }
        catch (ApiException error) { System.out.println(error.status + " " + error.code); }
    }

    static void run() throws Exception {`,
  ],
};

test.each([...programs, ...uploads].filter(({ language }) => catching[language]))(
  'D-03 the program $name in $language throws an error that has the status and the code',
  async (program) => {
    const [main = '', caught = ''] = catching[program.language] ?? [];
    const refused = { ...program, source: program.source.replace(main, caught) };
    const json = { error: 'invalidApiKey', message: 'The API key is not valid.' };
    service.on('POST /token', () => ({ status: 403, json }));
    expect((await run(refused)).stdout).toBe('403 invalidApiKey\n');
    service.on('POST /token', () => ({ status: 404, text: '<html>' }));
    expect((await run(refused)).stdout).toBe('404 \n');
  },
);
