import type { Operation } from '../../model/api-model.js';
import { exampleCall, variableName } from '../client/example-call.js';
import { quote } from '../text/typescript.js';

/** Returns a program with the generated client. */
export function typescriptSample(operation: Operation, baseUrl: string): string {
  const { success } = operation;
  return `import { createClient } from '@adx/client';

const client = createClient({
  baseUrl: ${quote(baseUrl)},
  apiKey: '<API_KEY>',
  username: '<USERNAME>',
  password: '<PASSWORD>',
});

${exampleCall(operation)}
${success.record || success.type.kind === 'nothing' ? '' : `console.log(${variableName(success.type)});\n`}`;
}
