import type { OperationId } from '@adx/contract';

/** Receives lines of text, as `console` does. */
export interface Logger {
  /** An attempt failed and will be repeated. */
  warn(line: string): unknown;
  /** A call failed. */
  info(line: string): unknown;
  /** A call succeeded. */
  debug(line: string): unknown;
}

export type LogLevel = 'off' | keyof Logger;

/** Returns the function that logs an attempt of a call, if it is of one of these levels. */
export function logTo(logger: Logger, levels: readonly LogLevel[]) {
  /** @param pause the pause before the next attempt in ms; undefined if there is none */
  return async (
    operation: OperationId,
    took: number,
    attempt: Promise<unknown>,
    pause: number | undefined,
  ): Promise<void> => {
    const [level, verb, outcome] = await attempt.then(
      (result) => ['debug', 'succeeded', result] as const,
      (error) => [pause === undefined ? 'info' : 'warn', 'failed', error] as const,
    );
    if (!levels.includes(level)) return;
    const parts = [
      `${operation} ${verb} in ${took} ms`,
      ...factsOf(outcome),
      ...(pause === undefined ? [] : [`again in ${Math.round(pause)} ms`]),
    ];
    try {
      await logger[level](parts.join(', '));
    } catch {
      // Nobody waits for it: its error would end the process.
    }
  };
}

/**
 * Returns the name, status, code and request id of a result or an error, and nothing else: messages
 * may quote what was sent, and results have tokens, URLs with signatures, and data of customers.
 */
function factsOf(outcome: unknown): string[] {
  const { response = outcome, name, reason, code = reason } = Object(outcome);
  const { status, headers, requestId = headers?.get('x-request-id') } = Object(response);
  // A proxy or an identity provider may have sentences there.
  const word = /^\w+$/.test(code) && code;
  const kind = [name, status, word].filter(Boolean).join(' ');
  return [kind, requestId && `request ${requestId}`].filter(Boolean);
}
