import { z } from 'zod';

/** A URL without credentials, which belong into the headers. */
const receiver = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { username, password, search, hash } = new URL(url);
  return username + password + search + hash === '';
}, 'has more than scheme, host, port and path');

/** The known samplers: the SDK, which reads the variable too, would use the default for others. */
const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
];

/** The forms in which traces are sent. The SDK has others in packages that are not installed. */
const protocol = z.enum(['http/protobuf', 'http/json'], {
  error:
    'is neither http/protobuf nor http/json; traces are not sent in another form, such as gRPC',
});

/** Parses percent-encoded headers, such as `authorization=Basic%20YQ==,x-tenant=a`. */
const headerList = z.string().transform((text, context) => {
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

/** The settings of traces, by the standard names of their variables (D-55). */
export const traceVariables = {
  /**
   * Receiver of traces with OTLP, to which `/v1/traces` is appended (D-55); by default there are
   * none.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.optional(),
  /** The same for traces alone, to which nothing is appended. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.optional(),
  /** Headers for it, as `name=value,name=value`. */
  OTEL_EXPORTER_OTLP_HEADERS: headerList.optional().meta({ secret: true }),
  /** Form in which traces are sent. gRPC is not supported. */
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  /** The same for traces alone, which takes precedence. */
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  /** `otlp` sends traces to this machine if there is no receiver, `none` switches them off. */
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  /** `true` switches traces off. */
  OTEL_SDK_DISABLED: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .default('false'),
  /** Name of the process in traces; by default `adx-server` or `adx-worker`. */
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  /** Attributes of the process in traces, as `name=value,name=value`. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  /** The traces that are recorded. */
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  /** The part of all traces that the samplers with a ratio record. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is not a number from 0 to 1')
    .optional(),
};

export interface TraceSettings {
  /** The name of the service unless `OTEL_SERVICE_NAME` has another. */
  readonly service: string;
  readonly url: string;
  /** May contain credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: z.infer<typeof protocol>;
}

/** Returns where traces are sent; undefined if there are none, which is the default. */
export function toTraceSettings(
  values: z.infer<z.ZodObject<typeof traceVariables>>,
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

/** Decodes a percent-encoded value; returns an empty text if it is malformed. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
