import { posix } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { orMeant } from './document/closest.js';
import { type Finding, inReadingOrder, type Outcome } from './document/finding.js';
import { parsePointer } from './document/json.js';
import { readDocument } from './document/read-document.js';
import type { SpecDocument, SpecNode } from './document/spec-document.js';
import { conventions } from './rules/check-rules.js';

/** The layout and conventions of an interface (D-42); without a file, {@link plainConfig}. */
export interface Config {
  readonly layout: Layout;
  /**
   * The conventions that the spec must keep, each with the decision or guide that it rests on. One
   * that is in force also takes effect in the generated code: extensions without their rule mean
   * nothing.
   */
  readonly rules: Readonly<Record<string, string>>;
  /** Response headers that the server sets by itself, so that handlers do not give them. */
  readonly headersOfServer: readonly string[];
}

/** Where the generated files go. */
export interface Layout {
  readonly folders: { readonly contract: string; readonly server: string; readonly client: string };
  /** The handwritten parts that generated code imports. Without them it is complete in itself. */
  readonly modules?: { readonly contract: string; readonly caller: string } | undefined;
  /** The folder of the journeys (Arazzo): each operation and each error code has a step there. */
  readonly journeys?: string | undefined;
}

export const plainConfig: Config = {
  layout: { folders: { contract: 'contract', server: 'server', client: 'client' } },
  rules: {},
  headersOfServer: [],
};

const rule = 'config';

/**
 * Reads the text of a configuration in YAML or JSON, and reports all mistakes in it.
 *
 * @param file its path as messages show it
 */
export function readConfig(raw: string, file: string): Outcome<Config> {
  const outcome = readDocument(raw, file);
  if (!outcome.ok) return outcome;
  const document = outcome.value;
  const ajv = new Ajv2020({ allErrors: true, verbose: true });
  const errors = ajv.validate(schema, document.value) ? [] : (ajv.errors ?? []);
  const findings = [
    ...errors.filter(({ keyword }) => keyword !== 'if').map((error) => toFinding(document, error)),
    ...unknownRules(document.root.get('rules')),
    ...sharedFolders(document.root.at('layout', 'folders')),
  ];
  if (findings.length > 0) return { ok: false, findings: inReadingOrder(findings) };
  return { ok: true, value: { ...plainConfig, ...(document.value as Partial<Config>) } };
}

function unknownRules(rules: SpecNode | undefined): Finding[] {
  const names = conventions.map(({ name }) => name);
  const unknown = (rules?.members ?? []).filter(({ key }) => !names.includes(key));
  return unknown.map(({ key, keyPosition }) => {
    const message = `There is no convention ${key}${orMeant(key, names)}`;
    return { ...keyPosition, rule, message };
  });
}

/** A folder for two parts would have two files of the same name. */
function sharedFolders(folders: SpecNode | undefined): Finding[] {
  const seen = new Map<string, string>();
  return (folders?.members ?? []).flatMap(({ key, text, position }) => {
    if (text === undefined) return [];
    const path = posix.join(text, '.');
    const other = seen.get(path);
    seen.set(path, key);
    const message = `${other} and ${key} are the same folder.`;
    return other === undefined ? [] : [{ ...position, rule, message }];
  });
}

function toFinding(
  document: SpecDocument,
  { instancePath, message = '', params, parentSchema }: ErrorObject,
): Finding {
  const path = parsePointer(instancePath);
  const extra: unknown = params.additionalProperty;
  if (typeof extra === 'string') {
    const known = Object.keys(parentSchema?.['properties'] ?? {});
    const text = `${extra} is not a part of the configuration${orMeant(extra, known)}`;
    return { ...document.keyPosition([...path, extra]), rule, message: text };
  }
  const shown = path.at(-1) ?? 'The configuration';
  return { ...document.position(path), rule, message: `${shown} ${message}.` };
}

const text = { type: 'string', minLength: 1 };

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    layout: {
      type: 'object',
      additionalProperties: false,
      required: ['folders'],
      properties: {
        folders: {
          type: 'object',
          additionalProperties: false,
          required: ['contract', 'server', 'client'],
          properties: { contract: text, server: text, client: text },
        },
        modules: {
          type: 'object',
          additionalProperties: false,
          required: ['contract', 'caller'],
          properties: { contract: text, caller: text },
        },
        journeys: text,
      },
    },
    rules: { type: 'object', additionalProperties: text },
    headersOfServer: { type: 'array', items: text },
  },
};
