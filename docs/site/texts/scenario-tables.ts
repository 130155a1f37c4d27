import {
  listScenarios,
  type ScenarioOption,
} from '../../../packages/sandbox/src/scenarios/descriptions.js';

/** The pages with the values of options that have too many for a table. */
const pagesOfValues: Readonly<Record<string, string>> = {
  code: '[every error code](/errors/index.md)',
  operation: '[every operation](/reference/index.html), by its `operationId`',
  finding: '[every finding](/findings/index.md) of the content of a file',
};

/**
 * Returns the options of each scenario of the sandbox in Markdown, as `GET /sandbox/` lists them: a
 * table for each.
 */
export function scenarioTables(): string {
  return listScenarios()
    .map(({ name, options }) =>
      [
        `### Options of \`${name}\``,
        '',
        '| In a request | Meaning | Values | Default |',
        '| --- | --- | --- | --- |',
        ...options.map(rowOf),
      ].join('\n'),
    )
    .join('\n\n');
}

function rowOf({ name, description, type, values, required, default: preset }: ScenarioOption) {
  const listed = values?.map((value) => `\`${value}\``).join(', ') ?? type;
  const ofDefault = required ? 'required' : `${preset ?? ''}`;
  return `| \`${name}\` | ${description} | ${pagesOfValues[name] ?? listed} | ${ofDefault} |`;
}
