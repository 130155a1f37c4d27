import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { version } from '../version.js';

/*
 * The spans of the service (D-55). Without `startTraces`, the functions of OpenTelemetry do
 * nothing.
 *
 * A span has ids, codes and names of the field, never what a caller sent: no personal data, no
 * values of statements, no messages of errors.
 */

/** The tracer, which hands its calls to the SDK once that is loaded. */
const tracer = trace.getTracer('@adx/server', version);

/** Returns the id of the trace; undefined unless it is recorded, so that the log leads to one. */
export function recordedTraceId(): string | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : undefined;
}

/**
 * Starts the span of a step within a request or a job. It is undefined outside of them and where
 * they are not recorded; also after their end, when a timer of theirs fires.
 */
export function startStep(name: string, attributes: Attributes): Span | undefined {
  if (trace.getActiveSpan()?.isRecording() !== true) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** Runs a step of a request or a job, such as a request to the storage, in a span of its own. */
export async function inStep<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = startStep(name, attributes);
  if (span === undefined) return work();
  return endWith(span, () => context.with(trace.setSpan(context.active(), span), work));
}

/** Marks a span with the code or class of an error, whose message may contain callers' data. */
export function markFailed(span: Span, error: unknown): void {
  const hasCode = error instanceof Error && 'code' in error && error.code !== undefined;
  const type = hasCode ? String(error.code) : error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

async function endWith<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

interface EndedCall {
  readonly method: string;
  /** The path of the operation with the names of its parameters; undefined if there is none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly isFailure: boolean;
  readonly attributes: Attributes;
}

/**
 * Runs a request in its span.
 *
 * @param headers - those of a trusted proxy, whose trace is continued; undefined for any other
 *   caller, who could otherwise choose which calls are recorded
 * @param handle - keeps the span for what it starts; events of the response need `bound`
 */
export function inRequestSpan(
  headers: IncomingHttpHeaders | undefined,
  handle: (span: {
    readonly end: (call: EndedCall) => void;
    readonly bound: (listener: () => void) => () => void;
  }) => void,
): void {
  const parent = readTrace(headers, ROOT_CONTEXT);
  const span = tracer.startSpan('HTTP', { kind: SpanKind.SERVER }, parent);
  const own = trace.setSpan(parent, span);
  const end = ({ method, route, status, isFailure, attributes }: EndedCall): void => {
    span.updateName(route === undefined ? method : `${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...attributes,
    });
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  context.with(own, () => handle({ end, bound: (listener) => context.bind(own, listener) }));
}

/** Returns the trace as headers of W3C Trace Context; undefined without traces. */
export function carriedTrace(): Readonly<Record<string, string>> | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  const { traceparent } = carrier;
  return traceparent === undefined ? undefined : { traceparent };
}

/** Runs work without a trace, such as a job that enqueues itself, whose trace would never end. */
export function outsideTraces<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

/**
 * Reads a trace from headers or where it was stored; by default, the one of what is running. It
 * leaves out `tracestate`, which may have any text.
 */
export function readTrace(carried: unknown, outer = context.active()): Context {
  if (typeof carried !== 'object' || carried === null || !('traceparent' in carried)) return outer;
  return propagation.extract(outer, { traceparent: carried.traceparent });
}

/** The name under which the payload of a job carries the trace that the job belongs to. */
const CARRIED = 'trace';

export function withTrace(payload: object): object {
  const trace = carriedTrace();
  return trace === undefined ? payload : { ...payload, [CARRIED]: trace };
}

export function takeTrace(payload: unknown): { readonly payload: unknown; readonly from: Context } {
  if (typeof payload !== 'object' || payload === null || !(CARRIED in payload)) {
    return { payload, from: ROOT_CONTEXT };
  }
  const { [CARRIED]: carried, ...own } = payload;
  return { payload: own, from: readTrace(carried) };
}

/** Work that a request has caused, and that is done later. */
interface LaterWork {
  readonly name: string;
  readonly attributes: Attributes;
  /** The trace of the request. */
  readonly from: Context;
  /** The time between both, in ms. */
  readonly afterMs: number;
}

/** The time in ms after which receivers take the trace of a request to be complete. */
const TRACE_MS = 600_000;

/**
 * Runs later work in the trace of its request. If that is over, the work has a trace of its own,
 * with a link to the other.
 *
 * @param work - may mark the span as failed without failing itself
 */
export function inLaterSpan<Result>(
  { name, attributes, from, afterMs }: LaterWork,
  work: (fail: (error: unknown) => void) => Promise<Result>,
): Promise<Result> {
  const isLate = afterMs > TRACE_MS;
  const cause = trace.getSpanContext(from);
  const links = isLate && cause !== undefined ? [{ context: cause }] : [];
  const parent = isLate ? ROOT_CONTEXT : from;
  const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes, links }, parent);
  const fail = (error: unknown) => markFailed(span, error);
  return endWith(span, () => context.with(trace.setSpan(parent, span), () => work(fail)));
}
