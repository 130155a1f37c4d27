import {
  type Document,
  isOperation,
  mapOperations,
  mapValues,
  type Operation,
} from './with-samples.js';

/**
 * Returns the document in which the description of each operation begins with its method and path,
 * which Redoc itself shows after all the prose on a phone, its name, a link to "Try it" and, if it
 * is deprecated, what the spec says about its end (D-40), which Redoc does not show.
 *
 * @param tryIt the page "Try it", from the reference; none for a released version
 */
export function withNotes(document: Document, tryIt: string | undefined): Document {
  const operations = Object.values(document.paths).flatMap(Object.values).filter(isOperation);
  return mapOperations(document, (operation, method, path) => {
    const { operationId, description = '' } = operation;
    const link = tryIt === undefined ? [] : [`[Try it](${tryIt}#${operationId})`];
    const call = [`**${method.toUpperCase()}** \`${path}\``, `\`${operationId}\``, ...link];
    const notes = [call.join(' · '), ...deprecation(operation, operations), description];
    return { ...operation, description: notes.join('\n\n') };
  });
}

function deprecation(operation: Operation, operations: readonly Operation[]): string[] {
  const {
    'x-deprecated-since': since,
    'x-sunset': sunset,
    'x-replaced-by': replacedBy,
  } = operation;
  if (since === undefined) return [];
  const successor = operations.find(({ operationId }) => operationId === replacedBy);
  const sentences = [
    `**Deprecated since ${since}.**`,
    ...(sunset === undefined ? [] : [`From ${sunset} on it may be gone.`]),
    ...(successor === undefined
      ? []
      : [`Use [${successor.summary ?? replacedBy}](#operation/${replacedBy}) instead.`]),
  ];
  return [`> ${sentences.join(' ')}`];
}

/**
 * Returns the document in which the headers that every answer has are described once, in a section
 * of its own: Redoc shows them before the body of each answer.
 */
export function withHeadersOnce(document: Document): Document {
  const { info, paths, components } = document;
  const operations = Object.values(paths).flatMap(Object.values).filter(isOperation);
  const answers = operations.map(({ responses }) => Object.keys(responses?.['200']?.headers ?? {}));
  const common = (answers[0] ?? []).filter((name) => answers.every((own) => own.includes(name)));
  const items = common.map((name) => {
    const { description = '', example, examples } = components?.headers?.[name] ?? {};
    const value = example ?? Object.values(examples ?? {})[0]?.value;
    return `- \`${name}\`: ${description.trim().replaceAll(/\s+/g, ' ')} Example: \`${value}\``;
  });
  const description = `${info.description}\n\n## Headers of every answer\n\n${items.join('\n')}`;
  const withOwnHeaders = (responses: Operation['responses'] = {}) =>
    mapValues(responses, ({ headers, ...response }) => {
      const own = Object.entries(headers ?? {}).filter(([name]) => !common.includes(name));
      return own.length === 0 ? response : { ...response, headers: Object.fromEntries(own) };
    });
  const changed = mapOperations(document, (operation) => ({
    ...operation,
    responses: withOwnHeaders(operation.responses),
  }));
  return {
    ...changed,
    info: { ...info, description },
    components: { ...components, responses: withOwnHeaders(components?.responses) },
  };
}
