import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { forJobs, needed, refusalOf } from './valid-settings.js';

const receiver = 'http://collector:4318';
const sent = { headers: {}, protocol: 'http/protobuf', service: 'adx-server' };

test.each([
  ['nothing', {}, undefined],
  ['a sampler alone', { OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
  ['a receiver', { ENDPOINT: `${receiver}/` }, { ...sent, url: `${receiver}/v1/traces` }],
  ['its path', { ENDPOINT: `${receiver}/otlp` }, { ...sent, url: `${receiver}/otlp/v1/traces` }],
  ['a receiver of traces', { TRACES_ENDPOINT: `${receiver}/` }, { ...sent, url: `${receiver}/` }],
  [
    'the exporter alone',
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { ...sent, url: 'http://localhost:4318/v1/traces' },
  ],
  [
    'headers and a protocol',
    { ENDPOINT: receiver, HEADERS: 'a=b%2C%20c, x-d=e=f', PROTOCOL: 'http/json' },
    {
      ...sent,
      url: `${receiver}/v1/traces`,
      protocol: 'http/json',
      headers: { a: 'b, c', 'x-d': 'e=f' },
    },
  ],
  [
    'a protocol of traces',
    { ENDPOINT: receiver, TRACES_PROTOCOL: 'http/json', PROTOCOL: 'http/protobuf' },
    { ...sent, url: `${receiver}/v1/traces`, protocol: 'http/json' },
  ],
  ['no exporter', { ENDPOINT: receiver, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  ['no SDK', { ENDPOINT: receiver, OTEL_SDK_DISABLED: 'True' }, undefined],
])('D-55 settings of traces: %s', (_case, variables, traces) => {
  const named = Object.entries(variables).map(([name, value]) => [
    name.startsWith('OTEL_') ? name : `OTEL_EXPORTER_OTLP_${name}`,
    value,
  ]);
  const environment = { ...needed, ...forJobs, ...Object.fromEntries(named) };
  expect(loadConfig(environment, 'service').traces).toEqual(traces);
  expect(loadConfig(environment, 'worker').traces).toEqual(
    traces && { ...traces, service: 'adx-worker' },
  );
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:geheim@collector'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'geheim'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=geheim%'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=geheim%0D%0Ax: y'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'console'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '5'],
])(
  'D-55 settings of traces: %s=%s is refused by name, and its value is not repeated',
  (name, value) => {
    const { message } = refusalOf({ ...needed, [name]: value });
    expect(message).toContain(`${name}: `);
    expect(message).not.toContain(value);
  },
);
