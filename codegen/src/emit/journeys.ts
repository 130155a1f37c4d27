import { stringify } from 'yaml';
import { orMeant } from '../document/closest.js';
import type { Finding, Outcome } from '../document/finding.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../document/json.js';
import { readDocument } from '../document/read-document.js';
import type { SpecNode } from '../document/spec-document.js';
import type { ApiModel, Operation } from '../model/api-model.js';
import type { FileSet } from './emit-files.js';

interface Step {
  readonly path: string;
  readonly workflow: SpecNode;
  /** The parameters that it has in common with other steps. */
  readonly shared: readonly JsonValue[];
  readonly node: SpecNode;
  /** Which operation it calls, as it is written: `$sourceDescriptions.adx.getCustomer`. */
  readonly reference: string;
  /** True if it calls this spec, which is the first description that its journey names. */
  readonly isOwn: boolean;
  readonly conditions: readonly string[];
}

/**
 * Returns the journeys (Arazzo 1.0.1) to which something is added: a step that calls each operation
 * successfully, and one that gets each error code (D-54). A missing one is a workflow of its own at
 * the end of the file that is nearest to it, with the sample values of the spec.
 */
export function journeysWithStubs(model: ApiModel, journeys: FileSet): Outcome<FileSet> {
  const steps: Step[] = [];
  const findings: Finding[] = [];
  for (const [path, text] of journeys) {
    const outcome = readDocument(text, path);
    if (outcome.ok) steps.push(...stepsOf(path, outcome.value.root));
    else findings.push(...outcome.findings);
  }
  const own = steps.filter(({ isOwn }) => isOwn);
  findings.push(...unknownOperations(own, model));
  if (findings.length > 0) return { ok: false, findings };

  const written = new Map<string, string>();
  const ids = new Set(steps.map(({ workflow }) => workflow.get('workflowId')?.text));
  for (const stub of stubsOf(model)) {
    if (steps.some((step) => stub.isMet(step))) continue;
    const alike = own.filter(stub.isAlike);
    const count = ({ path }: Step) => alike.filter((step) => step.path === path).length;
    const [nearest = own[0]] = own.filter(stub.isNear).sort((a, b) => count(b) - count(a));
    if (nearest === undefined) continue;
    const { path } = nearest;
    let id = kebabCase(stub.name);
    while (ids.has(id)) id += '-call';
    ids.add(id);
    const workflow = stringify([workflowLike(nearest, stub, id)], yamlOptions);
    const text = `${written.get(path) ?? journeys.get(path)}`
      .replaceAll('\r\n', '\n')
      .replace(/\n?$/, '\n');
    const more = (list: string, indent: string) => list + workflow.replaceAll(/^(?=.)/gm, indent);
    const longer = text.replace(workflows, more);
    if (longer === text) {
      const place = nearest.workflow.document.position(['workflows']);
      const message = `A workflow for ${stub.name} cannot be added; write each on lines of its own.`;
      findings.push({ ...place, rule: 'journey', message });
    }
    written.set(path, longer);
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: written };
}

/** Puts in quotes what readers of YAML 1.1 would take for a date or a boolean. */
const yamlOptions = { lineWidth: 0, compat: 'yaml-1.1' } as const;

/** The list of the workflows in the text of a journey, and how far it is indented. */
const workflows = /^workflows:\n(?: *#.*\n|\n)*( *)-.*\n(?:[ #-].*\n|\n)*/m;

function* stepsOf(path: string, root: SpecNode): Generator<Step> {
  const [source] = root.get('sourceDescriptions')?.items ?? [];
  const ofSpec = `$sourceDescriptions.${source?.get('name')?.text}.`;
  for (const workflow of root.get('workflows')?.items ?? []) {
    for (const step of workflow.get('steps')?.items ?? []) {
      const criteria = step.get('successCriteria')?.items ?? [];
      const conditions = criteria.flatMap((each) => each.get('condition')?.text ?? []);
      const parameters = step.get('parameters')?.items ?? [];
      const shared = parameters.filter((each) => each.get('reference')).map(({ value }) => value);
      const reference = step.get('operationId')?.text ?? '';
      const isOwn = reference !== '' && ['', ofSpec].includes(sourceIn(reference));
      yield { path, workflow, shared, node: step, reference, isOwn, conditions };
    }
  }
}

/** Finds the steps that call an operation that is not, or no longer, in the spec. */
function unknownOperations(steps: readonly Step[], { operations }: ApiModel): Finding[] {
  const ids = operations.map(({ id }) => id);
  const unknown = steps.filter(({ reference }) => !ids.includes(idIn(reference)));
  return unknown.map(({ node, reference }) => ({
    ...(node.get('operationId') ?? node).position,
    rule: 'journey',
    message: `There is no operation ${idIn(reference)}${orMeant(idIn(reference), ids)}`,
  }));
}

const idIn = (reference: string) => reference.replace(/^.*\./, '');
const sourceIn = (reference: string) => reference.replace(/[^.]*$/, '');

interface Stub {
  readonly name: string;
  readonly summary: string;
  readonly operation: Operation;
  readonly conditions: readonly string[];
  readonly isMet: (step: Step) => boolean;
  readonly isNear: (step: Step) => boolean;
  /** The nearest file is the one with most of these steps. */
  readonly isAlike: (step: Step) => boolean;
}

function* stubsOf({ operations, errors = [] }: ApiModel): Generator<Stub> {
  for (const operation of operations) {
    const { id, summary, client, responses } = operation;
    const success = statusIs(responses.find(({ status }) => /^2/.test(status))?.status ?? '200');
    const siblings = operations.filter(({ client: { resource } }) => resource === client.resource);
    const isNear = (step: Step) =>
      step.conditions.includes(success) && siblings.some((sibling) => calls(step, sibling));
    yield {
      ...{ name: id, summary, operation, conditions: [success] },
      isMet: (step) => calls(step, operation) && step.conditions.includes(success),
      ...{ isNear, isAlike: isNear },
    };
  }
  for (const { code, status, message } of errors) {
    const summary = message.replace(/\.$/, '');
    const isDocumented = ({ codes }: Operation['responses'][number]) => codes.includes(code);
    const operation = operations.find(({ responses }) => responses.some(isDocumented));
    const error = `${errorIs(code)}'`;
    if (operation === undefined) continue;
    yield {
      ...{ name: code, summary, operation, conditions: [statusIs(status), error] },
      isMet: ({ conditions }) => conditions.includes(error),
      isNear: ({ conditions }) => conditions.includes(statusIs(status)),
      isAlike: ({ conditions }) => conditions.some((each) => each.startsWith(errorIs(''))),
    };
  }
}

const errorIs = (code: string) => `$response.body#/error == '${code}`;
const statusIs = (status: string | number) => `$statusCode == ${status}`;

function calls({ reference }: Step, { id }: Operation): boolean {
  return idIn(reference) === id;
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a workflow with one step, which signs in as the other workflow does. */
function workflowLike(
  { workflow, reference, shared }: Step,
  { name, summary, operation, conditions }: Stub,
  workflowId: string,
): JsonObject {
  const [first] = workflow.get('steps')?.items ?? [];
  const isPreparing = first?.get('workflowId') !== undefined;
  const { inputs, parameters: ofWorkflow } = workflow.object ?? {};
  const own = [
    ...operation.pathParameters.map((parameter) => ({ in: 'path', ...parameter })),
    ...(operation.query?.parameters ?? []).map((parameter) => ({ in: 'query', ...parameter })),
  ].flatMap(({ name, in: place, sample }) =>
    sample === undefined ? [] : [{ name, in: place, value: sample }],
  );
  const parameters = [...shared, ...own];
  const step: Record<string, JsonValue> = {
    stepId: `${kebabCase(name)}-call`,
    description: `${summary}.`,
    operationId: `${sourceIn(reference)}${operation.id}`,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: { payload: operation.body.sample } }),
    successCriteria: conditions.map((condition) => ({ condition })),
  };
  return {
    ...{ workflowId, summary, description: summary },
    ...(inputs !== undefined && { inputs }),
    ...(ofWorkflow !== undefined && { parameters: ofWorkflow }),
    steps: [...(isPreparing && isJsonObject(first?.value) ? [first.value] : []), step],
  };
}
