import type { ApiModel, Operation } from '../../codegen/src/model/api-model.js';
import { type Document, isOperation } from './with-samples.js';

/** Runs before each request: signs in, for another user again, and before the token ends. */
const signIn = `const password = btoa(unescape(encodeURIComponent(pm.collectionVariables.get('password'))));
pm.collectionVariables.set('passwordInBase64', password);
const user = pm.collectionVariables.get('username') + ' ' + pm.collectionVariables.get('baseUrl');
const age = Date.now() - Number(pm.collectionVariables.get('signedInAt'));
if (pm.collectionVariables.get('signedInAs') !== user || age > 55 * 60 * 1000) {
  pm.sendRequest({
    url: pm.collectionVariables.get('baseUrl') + '/token',
    method: 'POST',
    header: { 'x-api-key': pm.collectionVariables.get('apiKey'), 'content-type': 'application/json' },
    body: {
      mode: 'raw',
      raw: JSON.stringify({ username: pm.collectionVariables.get('username'), password }),
    },
  }, function (error, answer) {
    if (error) throw error;
    if (answer.code !== 200) throw new Error('Signing in is refused: ' + answer.text());
    pm.collectionVariables.set('idToken', answer.json().idToken);
    pm.collectionVariables.set('signedInAs', user);
    pm.collectionVariables.set('signedInAt', Date.now());
  });
}`;

const variables = 'apiKey username password passwordInBase64 idToken signedInAs signedInAt'.split(
  ' ',
);

/**
 * Returns a collection for Postman, which Bruno imports too: each operation with its example. It
 * signs in by itself; a partner fills in the API key, the username and the password. Its format is
 * v2.1.0 of https://schema.postman.com.
 *
 * @param document the same interface, for the names of its parts
 */
export function postmanCollection(model: ApiModel, document: Document) {
  const described = Object.values(document.paths).flatMap(Object.values).filter(isOperation);
  const folders = [...new Set(described.map(({ tags: [tag] }) => tag))].map((name) => {
    const ids = described.filter(({ tags: [tag] }) => tag === name).map((each) => each.operationId);
    return { name, item: model.operations.filter(({ id }) => ids.includes(id)).map(itemOf) };
  });
  return {
    info: {
      name: document.info.title,
      description: document.info.summary,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: model.baseUrl },
      ...variables.map((key) => ({ key, value: '' })),
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{idToken}}', type: 'string' }] },
    event: [
      { listen: 'prerequest', script: { type: 'text/javascript', exec: signIn.split('\n') } },
    ],
    item: folders,
  };
}

/** The body of the call that needs no token. */
const credentials = { username: '{{username}}', password: '{{passwordInBase64}}' };

function itemOf(operation: Operation) {
  const signsIn = operation.credentials?.requiresIdToken === false;
  const { summary, description, method, path, pathParameters, query, headers, body } = operation;
  const parameters = (query?.parameters ?? []).map(({ name, sample, isRequired }) => ({
    key: name,
    value: String(sample ?? ''),
    disabled: !isRequired,
  }));
  const required = (headers?.parameters ?? []).filter(({ isRequired }) => isRequired);
  const parts = path
    .slice(1)
    .replace(/\{(.+?)\}/g, ':$1')
    .split('/');
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        { key: 'x-api-key', value: '{{apiKey}}' },
        ...required.map(({ name, sample }) => ({ key: name, value: String(sample) })),
      ],
      url: {
        raw: `{{baseUrl}}/${parts.join('/')}`,
        host: ['{{baseUrl}}'],
        path: parts,
        query: parameters,
        variable: pathParameters.map(({ name, sample }) => ({ key: name, value: String(sample) })),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(signsIn ? credentials : body.sample, undefined, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  };
}
