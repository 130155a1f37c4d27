import type { Operation } from '../../model/api-model.js';
import { exampleCall, resultName } from '../client/example-call.js';
import { quote } from '../text/names.js';

/** A whole program that calls an operation with the client. */
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
${success.record ? '' : `console.log(${resultName(success)});\n`}`;
}
