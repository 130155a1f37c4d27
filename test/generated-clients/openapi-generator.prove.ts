import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spec } from '@adx/contract/spec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOpenApi30 } from '../../docs/reference/openapi-3.0.js';
import { requireProgram } from '../support/require-program.js';
import { runCommand } from '../support/run-command.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { newPartner, type Partner } from './partner.js';
import { createProject, programs } from './run-program.js';

/**
 * Files that cannot be installed from npm or Debian: the generator, which its package in npm
 * downloads, and the folder of the libraries of its C# client: JsonSubTypes.dll,
 * Newtonsoft.Json.dll and Polly.dll.
 */
const { OPENAPI_GENERATOR_JAR: jar, CSHARP_LIBRARIES: libraries } = process.env;

/** Assemblies that Mono has. */
const framework = [
  'Net.Http',
  'Runtime.Serialization',
  'Web',
  'ComponentModel.DataAnnotations',
].map((name) => `System.${name}.dll`);
const compilerOptions =
  '-langversion:latest -nowarn:0472 -out:program.exe -recurse:client/src/Org.OpenAPITools/*.cs program.cs'.split(
    ' ',
  );

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.close());

test('D-54 a client in PHP that openapi-generator makes of openapi-3.0.json signs in, creates a customer and lists', async () => {
  await requireProgram('php', 'php-guzzlehttp-guzzle', "-rrequire 'GuzzleHttp/autoload.php';");
  const folder = await generate('-g', 'php');
  await cp(join(programs, 'openapi-generator.php'), join(folder, 'program.php'));
  await expectOutput((settings) =>
    runCommand('php', ['program.php'], { cwd: folder, env: settings }),
  );
});

test.runIf(libraries)(
  'D-54 a client in C# that openapi-generator makes of openapi-3.0.json signs in, creates a customer and lists',
  async () => {
    await requireProgram('mcs', 'mono-mcs', '--version');
    const target = ['--additional-properties', 'targetFramework=net47'];
    const folder = await generate('-g', 'csharp', '--library', 'httpclient', ...target);
    await cp(join(programs, 'openapi-generator.cs'), join(folder, 'program.cs'));
    const needed = await readdir(libraries ?? '');
    for (const name of needed) await cp(join(libraries ?? '', name), join(folder, name));
    const references = [...framework, ...needed].map((name) => `-reference:${name}`);
    await runCommand('mcs', [...compilerOptions, ...references], { cwd: folder });
    await expectOutput((settings) =>
      runCommand('mono', ['program.exe'], { cwd: folder, env: settings }),
    );
  },
);

/** Generates a client in the folder `client` of a new project. */
async function generate(...options: readonly string[]): Promise<string> {
  const folder = await createProject();
  await writeFile(join(folder, 'openapi-3.0.json'), JSON.stringify(asOpenApi30(spec)));
  const [command, ...before] =
    jar === undefined
      ? ['npx', '--yes', '@openapitools/openapi-generator-cli@2.41.0']
      : ['java', '-jar', jar];
  const files = ['-i', 'openapi-3.0.json', '-o', 'client'];
  await runCommand(command, [...before, 'generate', ...options, ...files], { cwd: folder });
  return folder;
}

/** Checks what a program prints. Models have no place for the unknown field of other programs. */
async function expectOutput(run: (settings: Partner['settings']) => Promise<string>) {
  const { settings, expected } = await newPartner(service);
  const { created, again, downloaded } = expected;
  expect(JSON.parse(await run(settings))).toEqual({ created, again, downloaded });
}
