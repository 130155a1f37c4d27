const input = 'openapi.yaml';

export default {
  client: {
    input,
    output: {
      target: 'client.ts',
      client: 'fetch',
      baseUrl: { runtime: "process.env['ADX_URL']" },
    },
  },
  schemas: { input, output: { target: 'schemas.ts', client: 'zod' } },
};
