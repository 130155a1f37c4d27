import { type ErrorCode, errorCatalogue, type Operation, operations } from '@adx/contract';
import { follow, type SpecBody, spec } from '@adx/contract/spec';
import { type ErrorAdvice, errorGuide, signInGuide } from './error-guide.js';

/** Every error code, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue).filter(isErrorCode);

function isErrorCode(code: string): code is ErrorCode {
  return code in errorCatalogue;
}

/** A page about an error. */
export interface ErrorPage {
  /** The code; of a refused sign-in, the name of its example in the spec. */
  readonly name: string;
  readonly status: number;
  readonly message: string;
  /** The value of `error`. */
  readonly error: string;
  readonly advice: ErrorAdvice;
  /** Headers of an answer that say more about this error. */
  readonly headers: readonly string[];
  /** An answer, which the spec has. */
  readonly example: unknown;
  /** The operations that answer it, in Markdown. */
  readonly operations: string;
}

const ofEveryAnswer = ['X-Request-Id', 'X-Api-Key-Expires', 'RateLimit', 'RateLimit-Policy'];

const byCode = errorCodes.map((code): ErrorPage => {
  const advice = errorGuide[code];
  if (!advice) throw new Error(`docs/site/error-guide.ts says nothing about ${code}`);
  return {
    name: code,
    error: code,
    ...errorCatalogue[code],
    advice,
    headers: headersOf(code),
    example: follow<{ $ref?: string; value?: unknown }>({ $ref: `#/components/examples/${code}` })
      .value,
    operations: operationsWith(code),
  };
});

/** The reasons of a refused sign-in, which are no codes (D-03). */
const ofSignIn = Object.entries(signInExamples()).map(([name, example]): ErrorPage => {
  const advice = signInGuide[name];
  if (!advice) throw new Error(`docs/site/error-guide.ts says nothing about ${name}`);
  return {
    name,
    status: 500,
    error: example.error,
    message: example.message,
    advice,
    headers: [],
    example,
    operations: `- ${linkTo(operations.getToken)}`,
  };
});

/**
 * The pages about errors, in the order in which they are listed: one for each code, and one for
 * each reason of a refused sign-in.
 */
export const errorPages: readonly ErrorPage[] = [...byCode, ...ofSignIn];

/** Returns the path of the page of an error, without an extension. */
export function errorPath({ name }: ErrorPage): string {
  return `errors/${name}`;
}

/**
 * Returns the page of an error: its message, status and `error`, when it occurs, what to do, an
 * answer, and which operations give it.
 */
export function errorPage(page: ErrorPage) {
  const { name, status, message, error, advice, headers, example, operations: own } = page;
  return [
    `# ${name}`,
    `**${message}**`,
    `Status **${status}**, \`error\` is \`${error}\`.`,
    '## When',
    advice.when,
    '## What to do',
    advice.action,
    '## Example',
    ...(headers.length > 0 ? [`\`\`\`http\n${headers.join('\n')}\n\`\`\``] : []),
    `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``,
    '## Operations',
    own,
    '',
  ].join('\n\n');
}

type Refusals = Readonly<Record<string, { value?: { error: string; message: string } }>>;

/** Returns the examples of a refused sign-in in the spec, by name. */
function signInExamples(): Record<string, { error: string; message: string }> {
  const { content } = follow<SpecBody>({ $ref: '#/components/responses/TokenFailed' });
  const examples = content?.['application/json']?.['examples'] as Refusals;
  return Object.fromEntries(
    Object.entries(examples).flatMap(([name, { value }]) => (value ? [[name, value]] : [])),
  );
}

interface Header {
  readonly $ref?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/**
 * Returns the headers of the spec that not every answer has. Those of a limit are on the page about
 * limits, as they are once it is reached.
 */
function headersOf(code: ErrorCode): string[] {
  const { path = '', method = 'get' } =
    Object.values<Operation>(operations).find(({ errors }) => errors.includes(code)) ?? {};
  const response = spec.paths[path]?.[method]?.responses[errorCatalogue[code].status] ?? {};
  const headers = Object.entries((follow(response)['headers'] ?? {}) as Record<string, Header>);
  const lines = headers.flatMap(([name, header]) => {
    const { description = '', example, examples = {} } = follow(header);
    const [first] = Object.values(examples);
    // Some have a header for one of their codes, which its description names.
    const isForAll = header.$ref?.endsWith(`/${name}`) || description.includes(`\`${code}\``);
    const isOfLimit = code === 'tooManyRequests' && name.startsWith('RateLimit');
    const isShown = isOfLimit || !ofEveryAnswer.includes(name);
    return isForAll && isShown ? [`${name}: ${example ?? first?.value}`] : [];
  });
  const [, seconds] = /^Retry-After: (\d+)$/m.exec(lines.join('\n')) ?? [];
  return lines.map((line) => line.replace(/r=\d+;t=\d+$/, `r=0;t=${seconds}`));
}

function operationsWith(code: ErrorCode): string {
  const all = Object.values<Operation>(operations);
  const own = all.filter(({ errors }) => errors.includes(code));
  if (own.length === all.length) return 'All operations.';
  const others = all.filter(({ errors }) => !errors.includes(code));
  if (others.length < 4) {
    return `All operations except ${others.map(linkTo).join(', ')}.`;
  }
  return own.map((each) => `- ${linkTo(each)}`).join('\n');
}

/** `[Get customer](#operation/getCustomer)` */
function linkTo({ operationId, method, path }: Operation): string {
  return `[${spec.paths[path]?.[method]?.summary ?? operationId}](#operation/${operationId})`;
}

/** Returns the table of all errors: `error` with a link to its page, status, message. */
export function errorTable(): string {
  return [
    '| Code | Status | Message |',
    '| --- | --- | --- |',
    ...errorPages.map(
      (page) =>
        `| [\`${page.error}\`](/${errorPath(page)}.md) | ${page.status} | ${page.message} |`,
    ),
  ].join('\n');
}
