import {
  type OperationObject,
  requestContent,
  successContent,
} from '../openapi/operation-object.js';
import { requiredNames } from '../openapi/schema-object.js';
import { operationRule, type Report } from './rule.js';

/** §4.22: the default of each of the two fields. */
const defaults = { limit: 50, offset: 0 };
/** §2.9: the paginated envelope. */
const envelope = { records: 'array', recordsTotal: 'integer', recordsFiltered: 'integer' };

/** All paginated operations have the same fields and the same envelope, and no others have them. */
export const pagination = operationRule('pagination', (operation, report) => {
  const flag = operation.node.get('x-paginated');
  if (flag && flag.value !== true) report(flag, 'x-paginated must be true or absent.');
  else if (flag) checkPaginated(operation, report);
  else checkPlain(operation, report);
});

function checkPaginated(operation: OperationObject, report: Report): void {
  const name = operation.name;
  if (operation.method !== 'post') report(operation.node, `${name} is paginated but not a POST.`);

  const body = requestContent(operation)?.schema?.follow();
  for (const [field, value] of Object.entries(defaults)) {
    const schema = body?.at('properties', field);
    const given = schema?.get('default');
    if (given && given.value !== value) {
      // Without the name of the operation, a field that all of them share is reported once.
      report(given, `The default of ${field} in a paginated operation is ${value}.`);
    }
    if (schema?.get('type')?.text !== 'integer' || !given) {
      const place = schema ?? body ?? operation.node;
      report(place, `${name} is paginated but takes no integer ${field} with default ${value}.`);
    }
  }

  const limit = body?.at('properties', 'limit');
  if (limit?.get('maximum') || limit?.get('exclusiveMaximum')) {
    report(limit, `${name} refuses a large limit; the service caps it instead.`);
  }

  const page = successContent(operation)?.schema?.follow();
  for (const [field, type] of Object.entries(envelope)) {
    const isRequired = page !== undefined && requiredNames(page).includes(field);
    if (!isRequired || page.at('properties', field)?.get('type')?.text !== type) {
      report(
        page ?? operation.node,
        `${name} is paginated but its response has no required ${type} ${field}.`,
      );
    }
  }
  const records = page?.at('properties', 'records');
  if (records && !records.get('items')) report(records, `The records of ${name} have no items.`);
}

function checkPlain(operation: OperationObject, report: Report): void {
  const body = requestContent(operation)?.schema?.follow();
  const content = successContent(operation)?.schema?.follow();
  const taken = Object.keys(defaults).filter((field) => body?.at('properties', field));
  const given = Object.keys(envelope).filter((field) => content?.at('properties', field));
  const fields = [...taken, ...given];
  if (fields.length > 0) {
    report(operation.node, `${operation.name} has ${fields.join(', ')} but is not x-paginated.`);
  }
}
