import type { JsonObject } from '../document/json.js';

// This is the only file that knows Redocly's linter, so that it can be replaced.

export interface LintMessage {
  readonly rule: string;
  readonly message: string;
  /** A JSON pointer, which may lead to an element that is missing. */
  readonly pointer: string;
  /** True if the mistake is in the key of the element. */
  readonly isAboutKey: boolean;
}

/** Lints a document that is valid OpenAPI 3.1, by the rules of a `redocly.yaml`. */
export type Lint = (document: JsonObject, configPath: string) => Promise<LintMessage[]>;

export const loadLinter = () => import('@redocly/openapi-core');

export const lint: Lint = async (document, configPath) => {
  const { lintFromString, loadConfig } = await loadLinter();
  const config = await loadConfig({ configPath });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    // The name only shows in messages, and selects the rules of an API in the configuration.
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.flatMap(({ severity, ruleId, message, location }) => {
    const [place] = location;
    if (severity !== 'error' || place?.pointer === undefined) return [];
    const { pointer, reportOnKey = false } = place;
    return [{ rule: ruleId, message, pointer, isAboutKey: reportOnKey }];
  });
};
