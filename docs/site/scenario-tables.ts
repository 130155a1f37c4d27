import { listScenarios } from '../../packages/sandbox/src/scenarios/descriptions.js';

/** Returns the options of each scenario of the sandbox in Markdown, as `GET /sandbox/` lists them: a table for each. */
export function scenarioTables(): string {
  return listScenarios()
    .map(({ name, options }) =>
      [
        `### Options of \`${name}\``,
        '',
        '| In a request | Meaning | Values | Default |',
        '| --- | --- | --- | --- |',
        ...options.map(
          (option) =>
            `| \`${option.name}\` | ${option.description} | ${valuesOf(option.type, option.values)} | ${option.required ? 'required' : `${option.default ?? ''}`} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The values that an option takes; those of long lists are on the pages of errors, findings and operations. */
function valuesOf(type: string, values: readonly string[] | undefined): string {
  if (values === undefined) return type;
  const shown = values.slice(0, 15).map((value) => `\`${value}\``);
  return values.length > 15 ? `${shown[0]}, ${shown[1]} and others` : shown.join(', ');
}
