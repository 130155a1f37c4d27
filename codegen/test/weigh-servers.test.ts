import { expect, test } from 'vitest';
import type { JsonObject } from '../src/document/json.js';
import { api, changes, type Edited, reported } from './support/small-api.js';

const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });
const server = (variable: JsonObject) => ({
  servers: [{ url: 'https://{host}', variables: { host: { default: 'a', ...variable } } }],
});

const cases: Readonly<Record<string, Edited>> = {
  'another server that clients call by default': [
    api({}, {}, servers('https://a', 'https://b')),
    api({}, {}, servers('https://b', 'https://a')),
    'major Server `https://a` is no longer the first.',
  ],
  'a first server besides the default one of OpenAPI': [
    api({}),
    api({}, {}, servers('/v2', '/')),
    'major Server `/` is no longer the first.',
    'minor Server `/v2` is new.',
  ],
  'a server instead of the default one of OpenAPI': [
    api({}),
    api({}, {}, servers('/v2')),
    'major Server `/` is removed.',
    'minor Server `/v2` is new.',
  ],
  'the default server of OpenAPI instead of another one': [
    api({}, {}, servers('/v2')),
    api({}, {}, servers()),
    'major Server `/v2` is removed.',
    'minor Server `/` is new.',
  ],
  'the default server of OpenAPI, written': [api({}, {}, servers()), api({}, {}, servers('/'))],
  'the default server of OpenAPI, no longer written': [api({}, {}, servers('/')), api({})],
  'the default server of OpenAPI, described': [
    api({}),
    api({}, {}, { servers: [{ url: '/', description: 'A.' }] }),
    'patch The `description` of the server `/` is new.',
  ],
  'an empty URL of a server': [api({}, {}, servers('')), api({}, {}, servers('/'))],
  'a variable that the URL of a server does not have': [
    api({}, {}, { servers: [{ url: '/a' }] }),
    api({}, {}, { servers: [{ url: '/a', variables: { host: { default: 'a' } } }] }),
  ],
  'a variable of a server that has fewer values': [
    api({}, {}, server({ enum: ['a', 'b'] })),
    api({}, {}, server({ enum: ['a'] })),
    'major `server.host` loses the value `b`.',
  ],
  'a variable of a server that has more values': [
    api({}, {}, server({ enum: ['a'] })),
    api({}, {}, server({ enum: ['a', 'b'] })),
    'minor `server.host` gains the value `b`.',
  ],
};

test.each(Object.entries(cases))('D-40 %s', (_name, [before, after, ...expected]) => {
  expect(changes(before, after)).toEqual(expected);
  expect(reported(before, after)).toMatchSnapshot();
});
