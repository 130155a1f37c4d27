import type { Changes, Operation } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/comment.js';
import { contractType, lineWidth, literal, propertyKey, quote } from '../text/typescript.js';
import { variableName } from './example-call.js';

/** The method that follows the changes of a search, in addition to the search itself. */
export function changesMethod(operation: Operation, changes: Changes): string {
  const { client, body, query, success } = operation;
  if (!body || !success.record) throw new Error(`${operation.id} is not paginated`);
  const record = contractType(success.record);
  const search = contractType(body.contents[0].type);
  const fields = [quote(changes.since), quote(changes.changedOn)].join(', ');
  const sent = Object.entries(changes.with).map(([name, value]) => {
    const key = `${propertyKey(name)}: `;
    return `          ${key}${literal(value, '          ', key.length)},\n`;
  });
  // Loaded on the first call, so that programs that follow no changes do not load it.
  return `${comment(operation, changes)}  async *${changes.method}(
    options: ${optionsType(search, [changes.since, ...Object.keys(changes.with)])},
  ): AsyncIterableIterator<${record}> {
    const { changesOf } = await import('../core/changes.js');
    return yield* changesOf(this.#caller, options, ${fields}, (body, call) =>
      this.${client.method}(
        {
          ...body,
${sent.join('')}        },
${query ? '        {},\n' : ''}        call,
      ),
    );
  }
`;
}

function comment({ client, success, summary }: Operation, changes: Changes): string {
  const { method, since, sample, changedOn } = changes;
  const record = success.record ? variableName(success.record) : '';
  return jsDoc(
    [
      ...wrap(`Follows the changes of *${summary}*: gives each change once, oldest first.`),
      '',
      ...wrap(
        'Polls until you leave the loop, or until the signal aborts, which throws its reason. Waits ' +
          'out an outage, and throws every error that does not pass by itself. If a record changes ' +
          'several times between two polls, you get the last change. A record that the search no ' +
          `longer finds is not reported. To continue later, keep the last \`${changedOn}\` and pass ` +
          'it as `since`: records that changed at that very instant come once more.',
      ),
      '',
      ...wrap(
        '@param options The first instant (`since`), the interval of polls (`intervalMs`), filters.',
      ),
      ...wrap(`@returns Every change from \`since\` on (\`${since}\`).`),
      '@throws {ApiError} For 501, and for every status except 429 and 5xx.',
      '@throws {TypeError} If `intervalMs` is not positive.',
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

/** The type of the options, without the fields that the method sets itself. */
function optionsType(body: string, fixed: readonly string[]): string {
  const names = fixed.map(quote);
  const union = names.join(' | ');
  const lines =
    union.length + 6 <= lineWidth
      ? `      ${union}`
      : names.map((it) => `      | ${it}`).join('\n');
  return `ChangesOptions<\n      ${body},\n${lines}\n    >`;
}
