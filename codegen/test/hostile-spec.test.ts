import { createScanner, LanguageVariant, ScriptTarget, SyntaxKind } from 'typescript';
import { expect, it } from 'vitest';
import { plainConfig } from '../src/config.js';
import { readRuntime } from '../src/generated-files.js';
import { renderSchemaTypes } from '../src/libraries/schema-types.js';
import { render } from '../src/render.js';

/** Texts that end a comment, a string or a template in which they stand. */
const endings = ['*/ pwned() /*', "'; pwned(); '", '"; pwned(); "', '`; pwned(); `', `\${pwned()}`];

function hostileSpec(text: string): string {
  const parameter = text.replaceAll(/[/*]/g, '');
  const header = text.replaceAll(/[ "();{}/]/g, '');
  const schema = { type: 'string', enum: [text], default: text, pattern: text.replace(/\W/g, '') };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: text, version: text },
    servers: [{ url: `https://example.org/${encodeURIComponent(text)}`, description: text }],
    tags: [{ name: text, description: text }],
    security: [{ key: [text] }],
    paths: {
      [`/${text.replaceAll(/[{}]/g, '')}`]: {
        post: {
          operationId: text,
          tags: [text],
          summary: text,
          description: text,
          parameters: [
            { name: text, in: 'query', description: text, style: 'pipeDelimited', schema },
            { name: header, in: 'header', description: text, schema },
          ],
          requestBody: {
            description: text,
            content: {
              [`application/json; a=${parameter}`]: { schema, example: text },
              [`text/plain; a=${parameter}`]: {},
            },
          },
          responses: {
            '200': {
              description: text,
              headers: { [header]: { schema } },
              content: { [`application/json; a=${parameter}`]: { schema } },
            },
          },
        },
      },
      '/of/{name}': {
        get: {
          operationId: 'other',
          parameters: [{ name: 'name', in: 'path', required: true, description: text, schema }],
          responses: { default: { description: text } },
        },
      },
    },
    components: {
      schemas: {
        Thing: { description: text, properties: { [text]: schema }, required: [text] },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'query', name: text, description: text } },
    },
  });
}

/** Returns true if code, without its comments and strings, calls the function. */
function calls(name: string, code: string): boolean {
  const scanner = createScanner(ScriptTarget.Latest, true, LanguageVariant.Standard, code);
  let before = '';
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (before === name && token === SyntaxKind.OpenParenToken) return true;
    before = scanner.getTokenText();
  }
  return false;
}

it.each(endings)('codegen: no text of a spec becomes code: %s', async (text) => {
  const outcome = await render(hostileSpec(text), {
    config: plainConfig,
    renderSchemaTypes,
    runtime: await readRuntime(),
  });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  const code = [...outcome.value.files].filter(([path]) => path.endsWith('.ts'));
  expect(code.filter(([, each]) => calls('pwned', each)).map(([path]) => path)).toEqual([]);
});

it('codegen: a long chain of references is one finding', async () => {
  const length = 1500;
  const links = Array.from({ length }, (_, index) => [
    `S${index}`,
    { type: 'object', properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
  ]);
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries([...links, [`S${length}`, {}]]) },
  };
  const outcome = await render(JSON.stringify(spec), {
    config: plainConfig,
    renderSchemaTypes,
    runtime: await readRuntime(),
  });
  const message = 'The references of this schema lead through too many others.';
  expect(outcome.ok ? [] : outcome.findings).toMatchObject([{ message }]);
});
