import type { DistinctCall } from './heap-growth.js';

/** Calls that a service could keep in memory one by one, named by their differences. */
export const distinctCalls: Readonly<Record<string, DistinctCall>> = {
  'a parameter of the content type': (n) => ({
    method: 'POST',
    path: '/customers',
    headers: { 'content-type': `application/json; p${n}=${n}` },
    body: '{}',
  }),
  'a charset': (n) => ({
    method: 'POST',
    path: '/customers',
    headers: { 'content-type': `application/json; charset=x${n}` },
    body: '{}',
  }),
  'a content type': (n) => ({
    method: 'POST',
    path: '/banks',
    headers: { 'content-type': `text/x${n}` },
    body: '{}',
  }),
  'a content type where no body is taken': (n) => ({
    method: 'GET',
    path: '/hello-world',
    headers: { 'content-type': `text/x${n}; a=b${n}`, accept: `text/x${n}` },
  }),
  'a path that does not exist': (n) => ({ method: 'GET', path: `/nothing/${n}` }),
  'an identifier': (n) => ({ method: 'GET', path: `/customers/${String(n).padStart(24, '0')}` }),
  'a query': (n) => ({ method: 'GET', path: `/customers?q${n}=1` }),
  'an unknown field': (n) => ({
    method: 'POST',
    path: '/customers',
    headers: { 'content-type': 'application/json' },
    body: `{"f${n}":1}`,
  }),
  'an ID token that is not valid': (n) => ({
    method: 'GET',
    path: '/hello-world',
    headers: { authorization: `Bearer x${n}.y.z` },
  }),
  'an API key that is not valid': (n) => ({
    method: 'GET',
    path: '/hello-world',
    headers: { 'x-api-key': `adx_live_${String(n).padStart(43, 'A')}` },
  }),
};
