import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A span as OTLP has it in JSON, with its attributes by name. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parent: string;
  readonly isFailed: boolean;
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A receiver of OTLP over HTTP. */
export interface TraceReceiver {
  readonly url: string;
  /** The spans that came as JSON. */
  readonly spans: ReceivedSpan[];
  /** The requests as they came. */
  readonly requests: { readonly path: string; readonly type: string; readonly body: Buffer }[];
  readonly authorizations: Set<string | undefined>;
  /** Asks to send the next request again after two seconds, and leaves further ones open. */
  hang(): void;
  close(): void;
}

/** Starts a receiver. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  let mode: 'answers' | 'asks for a retry' | 'hangs' = 'answers';
  const received = { spans: [], requests: [], authorizations: new Set() } as Pick<
    TraceReceiver,
    'spans' | 'requests' | 'authorizations'
  >;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const type = request.headers['content-type'] ?? '';
    received.requests.push({ path: request.url ?? '', type, body });
    received.authorizations.add(request.headers.authorization);
    if (type === 'application/json') received.spans.push(...readSpans(JSON.parse(String(body))));
    if (mode === 'answers') response.end();
    if (mode !== 'asks for a retry') return;
    mode = 'hangs';
    response.writeHead(503, { 'retry-after': '2' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...received,
    url: `http://127.0.0.1:${port}`,
    hang() {
      mode = 'asks for a retry';
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface JsonAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface JsonSpan extends Pick<ReceivedSpan, 'name' | 'kind' | 'traceId' | 'spanId'> {
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly links: readonly { readonly traceId: string }[];
  readonly attributes: readonly JsonAttribute[];
}

interface JsonTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly JsonAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[];
  }[];
}

function readSpans({ resourceSpans }: JsonTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ parentSpanId = '', status, links, attributes, ...span }) => ({
        ...span,
        parent: parentSpanId,
        isFailed: status.code === 2,
        links: links.map(({ traceId }) => traceId),
        attributes: byName(attributes),
        resource: byName(resource.attributes),
      })),
    ),
  );
}

function byName(attributes: readonly JsonAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
