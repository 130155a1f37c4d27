import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { openapi } from './generate-into.js';

/**
 * `openapi.yaml` with another required field of every customer, in the schema and the examples.
 */
export function withCustomerField(specification = openapi): string {
  const document = parseDocument(specification);
  const customer = ['components', 'schemas', 'Customer'];
  document.addIn([...customer, 'required'], 'riskClass');
  document.setIn(
    [...customer, 'properties', 'riskClass'],
    document.createNode({ type: 'string', description: 'Class of risk.', enum: ['low', 'high'] }),
  );
  visit(document, {
    Map(_key, node) {
      const confidential = node.get('isConfidential', true);
      const isExample = isScalar(confidential) && typeof confidential.value === 'boolean';
      if (isExample && node.has('contact')) node.set('riskClass', 'low');
    },
  });
  return document.toString();
}

/** `openapi.yaml` with another operation, `restoreCustomer`. */
export function withOperation(specification = openapi): string {
  const document = parseDocument(specification);
  const read = document.getIn(['paths', '/customers/{customerId}', 'get']);
  if (!isMap(read)) throw new Error('There is no operation to copy');
  const restore = read.clone();
  if (!isMap(restore)) throw new Error('A mapping is cloned to a mapping');
  restore.set('operationId', 'restoreCustomer');
  restore.set('x-client-method', 'customers.restore');
  document.setIn(['paths', '/customers/{customerId}/restore'], document.createNode({}));
  document.setIn(['paths', '/customers/{customerId}/restore', 'post'], restore);
  return document.toString();
}
