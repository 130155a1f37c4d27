export default {
  input: 'openapi.yaml',
  output: { path: 'client', module: { extension: '.js' } },
  parser: {
    patch: {
      // Up to 0.99.0, the generator writes each \u escape of a pattern as the character itself, and
      // a line separator ends a regular expression
      // (https://github.com/hey-api/hey-api/issues/4431). U+2028 is all of the category Zl, U+2029
      // all of Zp.
      input(spec) {
        const text = JSON.stringify(spec);
        const patched = text.replaceAll(String.raw`\\u2028-`, String.raw`\\p{Zl}\\p{Zp}\\u202a-`);
        Object.assign(spec, JSON.parse(patched));
      },
    },
  },
  plugins: [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    'zod',
    { name: '@hey-api/sdk', validator: true },
  ],
};
