import { type Document, isMap, isScalar, parseDocument, visit } from 'yaml';
import { openapi } from './generate-into.js';

/** Adds `riskClass`, a required field of every customer, and the operation `restoreCustomer`. */
export function editedSpec(): string {
  const document = parseDocument(openapi);
  addCustomerField(document);
  addOperation(document);
  return document.toString();
}

function addCustomerField(document: Document): void {
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
}

function addOperation(document: Document): void {
  const read = document.getIn(['paths', '/customers/{customerId}', 'get']);
  if (!isMap(read)) throw new Error('There is no operation to copy');
  const restore = read.clone();
  if (!isMap(restore)) throw new Error('The clone of a mapping is not a mapping');
  restore.set('operationId', 'restoreCustomer');
  restore.set('x-client-method', 'customers.restore');
  document.setIn(['paths', '/customers/{customerId}/restore'], document.createNode({}));
  document.setIn(['paths', '/customers/{customerId}/restore', 'post'], restore);
}
