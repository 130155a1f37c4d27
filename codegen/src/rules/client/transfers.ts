import type { SpecNode } from '../../document/spec-document.js';
import {
  type OperationObject,
  operationName,
  requestContent,
  successContent,
} from '../../openapi/operation-object.js';
import { requiredNames } from '../../openapi/schema-object.js';
import type { Report, Rule } from '../rule.js';
import { checkAddedMethod, checkMembers } from './client-methods.js';

/** The filters by which the method lists a file again. */
const filters = ['redownload', 'includePdf', 'statementDate', 'statementNumber'];
/** The fields of a file that the method needs, with their types. */
const fileFields = { id: 'string', fileName: 'string', statementDate: 'string' };
const numberField = 'statementNumber';

/** `x-download` gives the client a method that downloads the files of a list. */
export const download: Rule = {
  name: 'download',
  check({ operations, components }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-download');
      if (!place) continue;
      checkMembers(place, ['method', 'file', 'kind'], [], report);
      checkAddedMethod(place.get('method'), operation, operations, report);
      checkList(place, operation, report);
      const name = place.get('file');
      const file = components.schemas.find(({ key }) => key === name?.text);
      if (file) checkFile(place, file, report);
      else if (name?.text !== undefined) report(name, `There is no schema ${name.text}.`);
    }
  },
};

/** The list returns an array and has the filters that narrow it to one file. */
function checkList(place: SpecNode, operation: OperationObject, report: Report): void {
  const content = successContent(operation)?.schema?.follow();
  if (content?.get('type')?.text !== 'array' || operation.parameters.length > 0) {
    const name = operationName(operation);
    report(
      place,
      `x-download needs a list without path parameters that returns an array; ${name} is not one.`,
    );
  }
  const body = requestContent(operation)?.schema?.follow();
  const missing = filters.filter((filter) => !body?.at('properties', filter));
  if (missing.length > 0)
    report(place, `The list has no filter ${missing.join(', ')}, which x-download needs.`);
}

function checkFile(place: SpecNode, file: SpecNode, report: Report): void {
  const required = requiredNames(file);
  const typeOf = (name: string) => file.at('properties', name)?.follow().get('type')?.text;
  const expected = Object.entries({ ...fileFields, [numberField]: 'integer' });
  const lacking = expected.flatMap(([name, type]) =>
    required.includes(name) && typeOf(name) === type ? [] : [name],
  );
  const urls = required.includes('urls') ? file.at('properties', 'urls')?.follow() : undefined;
  const kind = place.get('kind');
  if (lacking.length > 0) {
    report(place.get('file') ?? place, `Not every file has ${lacking.join(', ')}.`);
  }
  if (typeOf('fileName') === 'string' && !file.at('properties', 'fileName', 'pattern')) {
    report(
      place.get('file') ?? place,
      'fileName has no pattern, by which the client refuses a name that leads out of a folder.',
    );
  }
  if (kind?.text !== undefined && !(urls && requiredNames(urls).includes(kind.text))) {
    report(kind, `Not every file has the URL ${kind.text}.`);
  }
}

/** The fields that the method needs to upload a file. */
const credentials = [
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'bucketName',
  'prefix',
  'expirationUtc',
];

/** `x-upload` gives the client a method that uploads files with the credentials of an operation. */
export const upload: Rule = {
  name: 'upload',
  check({ operations }, report) {
    for (const operation of operations) {
      const place = operation.node.get('x-upload');
      if (!place) continue;
      checkMembers(place, ['method', 'list', 'get'], [], report);
      checkAddedMethod(place.get('method'), operation, operations, report);
      checkOutcomes(place, operations, report);
      const { parameters, requestBody } = operation;
      const content = successContent(operation)?.schema?.follow();
      const given = content ? requiredNames(content) : [];
      const isText = (name: string) =>
        content?.at('properties', name)?.follow().get('type')?.text === 'string';
      const missing = credentials.filter((name) => !given.includes(name) || !isText(name));
      if (missing.length > 0) report(place, `Not every response has ${missing.join(', ')}.`);
      if (parameters.length > 0 || requestBody) {
        report(
          place,
          `x-upload needs an operation without parameters and body; ${operationName(operation)} is not one.`,
        );
      }
    }
  },
};

/** The filters and fields by which the method finds the outcome of an upload. */
const outcomeFilters = ['status', 'receivedSince'];
const outcomeFields = 'id prefix key etag fileCount files findingCount findings'.split(' ');

/** `list` is a paginated list of the uploads that `get` returns one of. */
function checkOutcomes(
  place: SpecNode,
  operations: readonly OperationObject[],
  report: Report,
): void {
  const list = place.get('list');
  const get = place.get('get');
  const operationOf = (name: SpecNode | undefined) =>
    operations.find(({ id }) => id !== undefined && id === name?.text);
  const [listing, getting] = [operationOf(list), operationOf(get)];
  const body = listing && requestContent(listing)?.schema?.follow();
  if (list && !(listing?.isPaginated && outcomeFilters.every((it) => body?.at('properties', it)))) {
    report(list, `list is not a paginated list with the filters ${outcomeFilters.join(', ')}.`);
  }
  const record = getting && successContent(getting)?.schema?.follow();
  const listed =
    listing && successContent(listing)?.schema?.follow().at('properties', 'records', 'items');
  if (get && getting?.parameters.length !== 1) {
    report(get, 'get is not an operation with one parameter.');
  } else if (get && listed && listed.follow().path.join() !== record?.path.join()) {
    report(get, 'get does not return a record of list.');
  }
  const given = record ? requiredNames(record) : [];
  const missing = outcomeFields.filter((name) => !given.includes(name));
  if (get && record && missing.length > 0) {
    report(get, `Not every upload has ${missing.join(', ')}.`);
  }
}
