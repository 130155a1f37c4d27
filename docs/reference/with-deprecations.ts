import { type Document, isOperation, mapOperations, type Operation } from './with-samples.js';

/**
 * Returns the document in which the description of each deprecated operation begins with what the
 * spec says about its end (D-40). Redoc itself only marks the operation.
 */
export function withDeprecations(document: Document): Document {
  const operations = Object.values(document.paths).flatMap(Object.values).filter(isOperation);
  return mapOperations(document, (operation) => {
    const notice = noticeOf(operation, operations);
    if (notice === undefined) return operation;
    return { ...operation, description: `${notice}\n\n${operation.description ?? ''}` };
  });
}

function noticeOf(operation: Operation, operations: readonly Operation[]): string | undefined {
  const {
    'x-deprecated-since': since,
    'x-sunset': sunset,
    'x-replaced-by': replacedBy,
  } = operation;
  if (since === undefined) return undefined;
  const successor = operations.find(({ operationId }) => operationId === replacedBy);
  const sentences = [
    `**Deprecated since ${since}.**`,
    ...(sunset === undefined ? [] : [`From ${sunset} on it may be gone.`]),
    ...(successor === undefined
      ? []
      : [`Use [${successor.summary ?? replacedBy}](#operation/${replacedBy}) instead.`]),
  ];
  return `> ${sentences.join(' ')}`;
}
