import { setTimeout as pause } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { version } from '../version.js';
import type { TraceSettings } from './trace-settings.js';

/** The timeout of an attempt to send, and of the last one at the end of the process, in ms. */
const SEND_MS = 5_000;

/**
 * Loads the SDK of OpenTelemetry, so import this file only if there are traces. Spans that are not
 * accepted are dropped. The SDK itself reads samplers, attributes and limits from the environment.
 *
 * @returns a function that sends what is left within five seconds, and stops
 */
export function startTraces(settings: TraceSettings, logger: Logger): () => Promise<void> {
  const { service, url, headers, protocol } = settings;
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({ url, headers: { ...headers }, timeoutMillis: SEND_MS });
  const own = { 'service.name': service, 'service.version': version };
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reported(exporter, logger))],
  });
  // There is no baggage: callers of the proxy could fill it, and it would go into the database.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return async () => {
    // A failure has been logged. A retry that begins late takes almost twice the time.
    const sent = new AbortController();
    const timeout = pause(SEND_MS, undefined, { signal: sent.signal }).catch(() => {});
    await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    sent.abort();
    for (const registered of [trace, context, propagation]) registered.disable();
  };
}

/** Logs when an exporter begins to fail, and when it works again. The SDK would do neither. */
function reported(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !isFailing) {
          logger.warn({ err: error }, 'traces are lost: their receiver does not accept them');
        }
        if (error === undefined && isFailing) logger.info('traces are accepted again');
        isFailing = error !== undefined;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
