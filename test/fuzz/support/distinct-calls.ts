import type { DistinctCall } from './heap-growth.js';

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  ...{ method: 'GET', path, headers },
});
const post = (path: string, type: string, body = '{}') => ({
  ...{ method: 'POST', path, headers: { 'content-type': type }, body },
});

/** Calls that a service could keep in memory one by one, named by their differences. */
export const distinctCalls: Readonly<Record<string, DistinctCall>> = {
  'a parameter of the content type': (n) => post('/customers', `application/json; p${n}=${n}`),
  'a charset': (n) => post('/customers', `application/json; charset=x${n}`),
  'a content type': (n) => post('/banks', `text/x${n}`),
  'a content type where no body is taken': (n) =>
    get('/hello-world', { 'content-type': `text/x${n}; a=b${n}`, accept: `text/x${n}` }),
  'a path that does not exist': (n) => get(`/nothing/${n}`),
  'an identifier': (n) => get(`/customers/${String(n).padStart(24, '0')}`),
  'a query': (n) => get(`/customers?q${n}=1`),
  'an unknown field': (n) => post('/customers', 'application/json', `{"f${n}":1}`),
  'an ID token that is not valid': (n) =>
    get('/hello-world', { authorization: `Bearer x${n}.y.z` }),
  'an API key that is not valid': (n) =>
    get('/hello-world', { 'x-api-key': `adx_live_${String(n).padStart(43, 'A')}` }),
};
