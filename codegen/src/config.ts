import { readFile } from 'node:fs/promises';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { orMeant } from './document/closest.js';
import { conventions } from './rules/check-rules.js';

/** What one interface wants beyond OpenAPI. A spec without a configuration gets {@link plainConfig}. */
export interface Config {
  readonly layout: Layout;
  /**
   * The conventions that the spec must keep, each with the decision or guide that it rests on. One that is
   * in force also takes effect in the generated code: extensions without their rule mean nothing.
   */
  readonly rules: Readonly<Record<string, string>>;
  /** Response headers that the server sets by itself, so that handlers do not give them. */
  readonly headersOfServer: readonly string[];
}

/** Where the generated files go. */
export interface Layout {
  /** Folders, from the root. `samples` is for the reference documentation. */
  readonly folders: {
    readonly contract: string;
    readonly server: string;
    readonly client: string;
    readonly samples?: string | undefined;
  };
  /**
   * The modules with the handwritten parts that generated code imports. Without them the generated folders
   * are complete in themselves.
   */
  readonly modules?: { readonly contract: string; readonly caller: string } | undefined;
}

export const plainConfig: Config = {
  layout: { folders: { contract: 'contract', server: 'server', client: 'client' } },
  rules: {},
  headersOfServer: [],
};

/** A configuration that cannot be used. The message names every mistake. */
export class ConfigError extends Error {}

/**
 * Reads a configuration in YAML or JSON.
 *
 * @throws ConfigError
 */
export async function readConfig(path: string): Promise<Config> {
  const value = await readYaml(path);
  const ajv = new Ajv2020({ allErrors: true });
  const names = conventions.map(({ name }) => name);
  const mistakes = ajv.validate(schema, value) ? [] : (ajv.errors ?? []).map(toMessage);
  for (const name of Object.keys((value as Partial<Config> | null)?.rules ?? {})) {
    if (!names.includes(name)) mistakes.push(`There is no rule ${name}${orMeant(name, names)}`);
  }
  if (mistakes.length > 0) {
    throw new ConfigError(mistakes.map((mistake) => `${path}: ${mistake}`).join('\n'));
  }
  return { ...plainConfig, ...(value as Partial<Config>) };
}

async function readYaml(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error && !('syscall' in error) ? `: ${error.message}` : '.';
    throw new ConfigError(`${path} cannot be read${reason}`);
  }
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
          properties: { contract: text, server: text, client: text, samples: text },
        },
        modules: {
          type: 'object',
          additionalProperties: false,
          required: ['contract', 'caller'],
          properties: { contract: text, caller: text },
        },
      },
    },
    rules: { type: 'object', additionalProperties: text },
    headersOfServer: { type: 'array', items: text },
  },
};

/** `/layout/folders must have required property 'server'` */
function toMessage({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params;
  const extra = typeof additionalProperty === 'string' ? `: ${additionalProperty}` : '';
  return `${instancePath || 'The configuration'} ${message}${extra}.`;
}
