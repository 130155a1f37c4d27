import type { Changes, Operation } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/comment.js';
import { lineWidth, literal, propertyKey, quote, typeText } from '../text/typescript.js';
import { recordName } from './example-call.js';

/** The method that follows the changes of what a search finds, beside the method that searches. */
export function changesMethod(operation: Operation, changes: Changes): string {
  const { client, body, success } = operation;
  if (!body || !success.record) throw new Error(`${operation.id} is not paginated`);
  const record = typeText(success.record);
  const search = typeText(body.type);
  const fields = [quote(changes.since), quote(changes.changedOn)].join(', ');
  const sent = Object.entries(changes.with).map(([name, value]) => {
    const key = `${propertyKey(name)}: `;
    return `          ${key}${literal(value, '          ', key.length)},\n`;
  });
  // Loaded when first called: who follows no changes does not load it.
  return `${comment(operation, changes)}  async *${changes.method}(
    options: ${optionsType(search, [changes.since, ...Object.keys(changes.with)])},
  ): AsyncIterableIterator<${record}> {
    const { changesOf } = await import('../core/changes.js');
    return yield* changesOf(this.#caller, options, ${fields}, (body, call) =>
      this.${client.method}(
        {
          ...body,
${sent.join('')}        },
        call,
      ),
    );
  }
`;
}

function comment({ client, success, summary }: Operation, changes: Changes): string {
  const { method, since, sample, changedOn } = changes;
  const record = success.record ? recordName(success.record) : '';
  return jsDoc(
    [
      ...wrap(`Follows what *${summary}* finds: each change once, the oldest first.`),
      '',
      ...wrap(
        'Polls without end; leaving the loop ends it, and so does the signal, with its reason. ' +
          'An outage is waited out; an error that will not pass by itself is thrown. Of several ' +
          'changes between two polls the last one is given, and what is no longer found is not ' +
          `reported. To go on later, keep the last \`${changedOn}\` and give it as \`since\`: ` +
          'what changed at that very instant comes once more.',
      ),
      '',
      ...wrap('@param options From when on (`since`), how often to poll (`intervalMs`), filters.'),
      ...wrap(`@returns Every change at \`since\` and later (\`${since}\`).`),
      '@throws {ApiError} 501, and what is neither 429 nor 5xx.',
      '@throws {TypeError} `intervalMs` is not positive.',
      '@example',
      '```ts',
      `const changes = client.${client.resource}.${method}({ since: ${quote(sample)} });`,
      `for await (const ${record} of changes) {`,
      `  console.log(${record});`,
      '}',
      '```',
    ],
    '  ',
  );
}

/** Everything of the body but what the method itself sends. */
function optionsType(body: string, fixed: readonly string[]): string {
  const names = fixed.map(quote);
  const union = names.join(' | ');
  const lines =
    union.length + 6 <= lineWidth
      ? `      ${union}`
      : names.map((it) => `      | ${it}`).join('\n');
  return `ChangesOptions<\n      ${body},\n${lines}\n    >`;
}
