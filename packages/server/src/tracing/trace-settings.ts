import { z } from 'zod';

/** A URL without credentials, which belong into the headers. */
export const traceReceiver = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { username, password, search, hash } = new URL(url);
  return username + password + search + hash === '';
}, 'has more than scheme, host, port and path');

/** The samplers of the SDK, which reads the variable itself and would replace a wrong value by the default. */
export const traceSamplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
];

/** The forms in which traces are sent. The SDK has others in packages that are not installed. */
export const traceProtocol = z.enum(['http/protobuf', 'http/json'], {
  error:
    'is neither http/protobuf nor http/json; traces are not sent in another form, such as gRPC',
});

/** Headers such as `authorization=Basic%20YQ==,x-tenant=a`: percent-encoded values, separated by commas. */
export const traceHeaders = z.string().transform((text, context) => {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, value = ''] = /^ *([\w-]+) *=(.*)$/.exec(pair) ?? [];
    const decoded = decodePercent(value.trim());
    if (name === undefined || !/^[ -~]+$/.test(decoded)) {
      context.addIssue('is not a list of `name=value`, separated by commas');
      return z.NEVER;
    }
    headers[name] = decoded;
  }
  return headers;
});

/** Decodes a percent-encoded value; returns an empty text if it is malformed. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Where traces are sent. */
export interface TraceSettings {
  /** The name of the service unless `OTEL_SERVICE_NAME` has another. */
  readonly service: string;
  readonly url: string;
  /** May contain credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: z.infer<typeof traceProtocol>;
}

/** The settings as variables, each validated by itself. */
interface TraceVariables {
  readonly OTEL_SDK_DISABLED: 'true' | 'false';
  readonly OTEL_TRACES_EXPORTER?: 'otlp' | 'none' | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL: TraceSettings['protocol'];
  readonly OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: TraceSettings['protocol'] | undefined;
}

/** Returns where traces are sent; undefined if there are none, which is the default. */
export function toTraceSettings(
  values: TraceVariables,
  service: string,
): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_TRACES_EXPORTER: exporter } = values;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_SDK_DISABLED: disabled } = values;
  const isAsked = exporter === 'otlp' || base !== undefined || own !== undefined;
  if (!isAsked || exporter === 'none' || disabled === 'true') return undefined;
  return {
    service,
    url: own ?? `${(base ?? 'http://localhost:4318').replace(/\/+$/, '')}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL,
  };
}
