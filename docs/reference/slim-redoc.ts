import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rollup } from 'rollup';
import { withoutLogo } from './self-contained.js';

const bundle = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'lib/chunks/redoc.standalone.js',
);

/**
 * The parts of Redoc's bundle that the reference never runs, and what takes their place. Each is
 * found by names that minifying keeps. Redoc is published only as one bundle, in which nothing says
 * that it may be left out.
 */
const cuts: readonly (readonly [part: string, RegExp, string])[] = [
  // Rollup leaves out only what is at the top level of a module.
  ['start of the bundle', /const\{RedocStandalone,hydrate,init\}=\(\(\)=>\{/, ''],
  [
    'end of the bundle',
    /return (typeof document<`u`&&console\.info\(.*),\{RedocStandalone,hydrate,init\}\}\)\(\);export\{RedocStandalone,hydrate,init\};/s,
    '$1;export{hydrate};',
  ],
  [
    'loading, bundling and converting a document',
    /(async function [\w$]+\(\{spec:e,specUrl:t,skipBundle:n\}\))\{if.*?\}(?=function)/s,
    '$1{return{type:`openapi`,document:e}}',
  ],
  [
    'AsyncAPI',
    /(processAsyncApiDocument:t\}=)await Promise\.resolve\(\)\.then\(\(\)=>\([\w$]+\(\),[\w$]+\)\)/,
    '$1{}',
  ],
  [
    'GraphQL',
    /(processGraphqlDocument:t\}=)await Promise\.resolve\(\)\.then\(\(\)=>\([\w$]+\(\),[\w$]+\)\)/,
    '$1{}',
  ],
  ['copies of GraphQL', /case [\w$]+\.GRAPHQL:\{if\(typeof t!=.*?(?=case [\w$]+\.ASYNCAPI)/s, ''],
  [
    'the search, which the site has',
    /(function [\w$]+\(\{items:e,store:t,basePath:n,document:r\}\)\{).*?(\(0,[\w$]+\.jsxs\)\([\w$]+,\{children:\[\(0,[\w$]+\.jsx\)\([\w$]+,\{)isReady.*?\}(?=function)/s,
    '$1return$2})]})}',
  ],
  [
    'reports to Redocly',
    /(=class) extends [\w$]+\{specType;beforeSend;typeOfUsage;constructor\(e\)\{.*?\}(?=,[\w$]+=new [\w$]+\(\{disabled)/s,
    '$1{constructor(){return new Proxy({},{get:()=>()=>{}})}}',
  ],
];

/**
 * Returns the script of Redoc without the parts that this reference never runs, as a module that
 * exports `hydrate`. It is a third smaller when compressed.
 *
 * @throws if the bundle of another version of Redoc lacks one of the parts
 */
export async function slimRedoc(): Promise<string> {
  let text = await readFile(bundle, 'utf8');
  for (const [part, place, replacement] of cuts) {
    if (!place.test(text)) throw new Error(`Redoc's bundle has no part ${part}: ${bundle}`);
    text = text.replace(place, replacement);
  }
  const cut = await rollup({
    input: bundle,
    plugins: [{ name: 'cut', load: () => text }],
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    onwarn: () => undefined,
  });
  const { output } = await cut.generate({ format: 'es', compact: true });
  return withoutLogo(output[0].code);
}
