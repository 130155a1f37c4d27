/** The first line of every generated file. */
export const header = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n';
