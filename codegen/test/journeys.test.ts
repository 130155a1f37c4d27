import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { things } from './support/corpus.js';
import { here, runCodegen } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const start = `arazzo: 1.0.1
info: { title: Things, version: 1.0.0 }
sourceDescriptions: [{ name: api, type: openapi, url: openapi.yaml }]
`;
const firstSteps = `workflows:
  # Partners begin here.
  - workflowId: sign-in
    summary: Sign in
    steps:
      - { stepId: try, operationId: $sourceDescriptions.sandbox.runScenario }
      - stepId: sign-in
        operationId: $sourceDescriptions.api.getToken
        successCriteria: [{ condition: $statusCode == 200 }]
  - workflowId: search
    summary: Search
    inputs: { $ref: inputs.yaml }
    steps:
      # A comment stays.
      - { stepId: sign-in, workflowId: sign-in }
      - stepId: search
        operationId: $sourceDescriptions.api.searchThings
        parameters: [{ reference: $components.parameters.idToken }]
        successCriteria: [{ condition: $statusCode == 200 }]
      - stepId: change
        operationId: $sourceDescriptions.api.updateThing
        successCriteria: [{ condition: $statusCode == 200 }]
`;
const end = `components:
  parameters: { idToken: { name: authorization, in: header, value: $inputs.idToken } }
`;

/** A journey with the errors of `things.yaml`. */
function errors(codes: Readonly<Record<string, number>>): string {
  const steps = Object.entries(codes).map(
    ([code, status]) => `  - stepId: ${code}
    operationId: $sourceDescriptions.api.updateThing
    successCriteria: [{ condition: $statusCode == ${status} }, { condition: "$response.body#/error == '${code}'" }]
`,
  );
  return `${start}workflows:\n- workflowId: errors\n  steps:\n${steps.join('').trimEnd()}`;
}
const all = {
  ...{ unknownField: 400, unauthorized: 401, invalidApiKey: 403, notFound: 404 },
  ...{ methodNotAllowed: 405, payloadTooLarge: 413, unsupportedMediaType: 415 },
  ...{ tooManyRequests: 429, internalError: 500, unavailable: 503 },
};

it('D-54 generate adds a step for each operation and error code that no journey has', async () => {
  const { root, write } = temporaryRepository(things);
  const { unknownField: _, ...others } = all;
  write('docs/journeys/errors.arazzo.yaml', errors({ ...others, badThing: 400 }));
  write('docs/journeys/first-steps.arazzo.yaml', start + firstSteps + end);
  const read = (name: string) =>
    readFileSync(join(root, `docs/journeys/${name}.arazzo.yaml`), 'utf8');

  const check = await runCodegen(root, ...here, '--check');
  expect(check.exitCode).toBe(1);
  expect(check.stderr).toContain('changed docs/journeys/first-steps.arazzo.yaml\n');
  expect(read('first-steps')).toBe(start + firstSteps + end);

  expect((await runCodegen(root, ...here)).exitCode).toBe(0);
  const text = read('first-steps');
  expect(text.startsWith(start + firstSteps)).toBe(true);
  expect(text.endsWith(end)).toBe(true);
  expect(parse(text).workflows.slice(2)).toEqual([
    {
      workflowId: 'get-thing',
      summary: 'Get thing',
      description: 'Get thing',
      inputs: { $ref: 'inputs.yaml' },
      steps: [
        { stepId: 'sign-in', workflowId: 'sign-in' },
        {
          stepId: 'get-thing-call',
          description: 'Get thing.',
          operationId: '$sourceDescriptions.api.getThing',
          parameters: [
            { reference: '$components.parameters.idToken' },
            { name: 'thingId', in: 'path', value: '0a1b' },
          ],
          successCriteria: [{ condition: '$statusCode == 200' }],
        },
      ],
    },
  ]);
  expect(parse(read('errors')).workflows.slice(1)).toMatchObject([
    {
      workflowId: 'unknown-field',
      steps: [
        {
          operationId: '$sourceDescriptions.api.getToken',
          requestBody: { payload: { username: 'els', password: "it's" } },
          successCriteria: [
            { condition: '$statusCode == 400' },
            { condition: "$response.body#/error == 'unknownField'" },
          ],
        },
      ],
    },
  ]);
  expect((await runCodegen(root, ...here, '--check')).exitCode).toBe(0);
});

it('D-54 a step that calls an operation that the spec does not have is a finding', async () => {
  const { root, write } = temporaryRepository(things);
  const journey = `${start}${firstSteps}`.replace('api.updateThing', 'api.updateThng');
  write('docs/journeys/first-steps.arazzo.yaml', journey);
  const { exitCode, stderr } = await runCodegen(root, ...here);
  expect(exitCode).toBe(1);
  const finding =
    /^docs\/journeys\/first-steps.arazzo.yaml:24:22 journey There is no operation updateThng; did you mean updateThing\?$/m;
  expect(stderr).toMatch(finding);
});

it('D-54 a journey that is not YAML is a finding, and nothing is written', async () => {
  const { root, write } = temporaryRepository(things);
  write('docs/journeys/errors.arazzo.yaml', 'workflows: [');
  const { exitCode, stderr, stdout } = await runCodegen(root, ...here);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain('docs/journeys/errors.arazzo.yaml:1:12 yaml');
});

it('D-54 journeys with line ends of Windows get their steps, and those in one line are refused', async () => {
  const { root, write } = temporaryRepository(things);
  const path = 'docs/journeys/first-steps.arazzo.yaml';
  write('docs/journeys/errors.arazzo.yaml', errors({ ...all, badThing: 400 }));
  write(path, (start + firstSteps + end).replaceAll('\n', '\r\n'));
  expect((await runCodegen(root, ...here)).exitCode).toBe(0);
  expect(parse(readFileSync(join(root, path), 'utf8')).workflows[2].workflowId).toBe('get-thing');
  write(path, `${start}workflows: ${JSON.stringify(parse(firstSteps).workflows)}\n${end}`);
  const { exitCode, stderr } = await runCodegen(root, ...here);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `${path}:4:1 journey A workflow for getThing cannot be added; write each on lines of its own.`,
  );
});

it('D-54 a workflow that is added never has the id of another one', async () => {
  const { root, write } = temporaryRepository(things);
  const path = 'docs/journeys/first-steps.arazzo.yaml';
  write('docs/journeys/errors.arazzo.yaml', errors({ ...all, badThing: 400 }));
  const taken = firstSteps
    .replace('workflowId: search', 'workflowId: get-thing')
    .replace('workflowId: sign-in', 'workflowId: get-thing-call');
  write(path, start + taken + end);
  expect((await runCodegen(root, ...here)).exitCode).toBe(0);
  const { workflows } = parse(readFileSync(join(root, path), 'utf8'));
  expect(workflows[2].workflowId).toBe('get-thing-call-call');
});

it('D-54 an operation of a new resource is called as others of the spec, not of another one', async () => {
  const changed = things.replace('x-client-method: things.get', 'x-client-method: odd.get');
  const { root, write } = temporaryRepository(changed);
  write('docs/journeys/first-steps.arazzo.yaml', start + firstSteps + end);
  write('docs/journeys/last.arazzo.yaml', errors({ ...all, badThing: 400 }));
  for (let round = 0; round < 2; round += 1) {
    expect(await runCodegen(root, ...here)).toMatchObject({ exitCode: 0, stderr: '' });
  }
  const added = readFileSync(join(root, 'docs/journeys/first-steps.arazzo.yaml'), 'utf8');
  expect(added).toContain('operationId: $sourceDescriptions.api.getThing');
});
