import type { ApiModel, Operation, Parameter } from '../../codegen/src/model/api-model.js';
import { type Operation as Described, type Document, isOperation } from './with-samples.js';

/**
 * Runs before each request: signs in, again five minutes before the token ends, and for another
 * user or service. Values come from the environment that is chosen, or else from the collection. A
 * refused sign-in is not repeated for 15 minutes: ten would lock out the user.
 */
const signIn = ({ summary, method, path }: Operation) => `\
const valueOf = (name) => pm.variables.replaceIn('{{' + name + '}}');
const username = valueOf('username');
const password = Buffer.from(valueOf('password')).toString('base64');
pm.collectionVariables.set('usernameInJson', JSON.stringify(username).slice(1, -1));
pm.collectionVariables.set('passwordInBase64', password);
const user = [valueOf('baseUrl'), valueOf('apiKey'), username, password].join(' ');
const isOther = user !== pm.collectionVariables.get('signedInAs');
if (pm.info.requestName === ${JSON.stringify(summary)}) {
  // This call signs in.
} else if (isOther || Date.now() > Number(pm.collectionVariables.get('signInAgainAt'))) {
  pm.collectionVariables.set('signedInAs', user);
  pm.collectionVariables.set('idToken', '');
  pm.sendRequest({
    url: valueOf('baseUrl') + ${JSON.stringify(path)},
    method: '${method.toUpperCase()}',
    header: { 'x-api-key': valueOf('apiKey'), 'content-type': 'application/json' },
    body: { mode: 'raw', raw: JSON.stringify({ username, password }) },
  }, function (error, answer) {
    // Bruno takes a refusal for an error, and forgets the variables of a script that throws.
    const status = error ? error.status : answer.code;
    const minutes = { 200: 55, 429: 1, 500: 15 }[status] || 0;
    pm.collectionVariables.set('signInAgainAt', Date.now() + minutes * 60 * 1000);
    if (error) return console.error('Signing in has failed: ' + error.message);
    if (status !== 200) throw new Error('Signing in is refused: ' + answer.text());
    pm.collectionVariables.set('idToken', answer.json().idToken);
  });
} else if (!pm.collectionVariables.get('idToken')) {
  throw new Error('Signing in was refused: change the variables, or wait 15 minutes.');
}`;

/** Runs after each request: a token is refused early if the sandbox was made anew. */
const signInAgain = `\
const isRefused = pm.response.code === 401 && pm.collectionVariables.get('idToken');
if (isRefused) pm.collectionVariables.set('signInAgainAt', 0);`;

/** The variables that the scripts write. */
const ofScripts = ['usernameInJson', 'passwordInBase64', 'idToken', 'signedInAs', 'signInAgainAt'];

/**
 * Returns a collection for Postman, which Bruno imports too: each operation with its example. It
 * signs in by itself; a partner fills in the API key, the username, the password, and ids. Its
 * format is v2.1.0 of https://schema.postman.com.
 *
 * @param document the same interface, for the names of its parts
 */
export function postmanCollection(model: ApiModel, document: Document) {
  const described = Object.values(document.paths).flatMap(Object.values).filter(isOperation);
  const folders = [...new Set(described.map(folderOf))].map((name) => {
    const ids = described.filter((each) => folderOf(each) === name).map((each) => each.operationId);
    return { name, item: model.operations.filter(({ id }) => ids.includes(id)).map(itemOf) };
  });
  const signInOperation = model.operations.find(isSignIn);
  const idVariables = new Map(
    model.operations
      .flatMap(({ pathParameters }) => pathParameters.filter(isId))
      .map(({ name, sample }) => [name, String(sample)]),
  );
  return {
    info: {
      name: document.info.title,
      description: document.info.summary,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: model.baseUrl },
      ...['apiKey', 'username', 'password', ...ofScripts].map((key) => ({ key, value: '' })),
      ...[...idVariables].map(([key, value]) => ({ key, value })),
    ],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{idToken}}', type: 'string' }] },
    event: signInOperation
      ? [eventOf('prerequest', signIn(signInOperation)), eventOf('test', signInAgain)]
      : [],
    item: folders,
  };
}

function folderOf({ tags: [tag = 'Operations'] = [] }: Described): string {
  return tag;
}

function eventOf(listen: string, script: string) {
  return { listen, script: { type: 'text/javascript', exec: script.split('\n') } };
}

/** An id is the same in all calls: a partner fills it in once. */
function isId({ sample }: Parameter): boolean {
  return /^[\da-f]{24}$/.test(String(sample));
}

function isSignIn({ credentials }: Operation): boolean {
  return credentials?.requiresIdToken === false;
}

/** The body of the call that signs in. */
const credentials = { username: '{{usernameInJson}}', password: '{{passwordInBase64}}' };

function itemOf(operation: Operation) {
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
    // A redirect would send the key to another host.
    protocolProfileBehavior: { followRedirects: false },
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
        variable: pathParameters.map((parameter) => ({
          key: parameter.name,
          value: isId(parameter) ? `{{${parameter.name}}}` : String(parameter.sample),
        })),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(isSignIn(operation) ? credentials : body.sample, undefined, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
  };
}
