import { banner, type DemoFacts } from './demo/facts.js';

export interface Output {
  readonly report: (event: string) => void;
  /** Prints that the service is ready; without demo firms there are no facts. */
  readonly ready: (sandbox: { url: string; logFile: string }, facts?: DemoFacts) => void;
}

interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Creates the output of `adx-sandbox start`. On a terminal each event replaces the previous one, so
 * that the banner stays in view. Any other stream gets one JSON object per line.
 */
export function createOutput(stream: OutputStream, now = () => new Date()): Output {
  if (stream.isTTY !== true) {
    const print = (facts: object) =>
      stream.write(`${JSON.stringify({ time: now().toISOString(), ...facts })}\n`);
    return {
      report: (event) => print({ event }),
      ready: ({ url, logFile: log }, facts) => print({ event: 'ready', url, log, ...facts }),
    };
  }
  const erased = '\r\u001b[K';
  return {
    report(event) {
      const line = `${now().toTimeString().slice(0, 8)}  ${event}`;
      // A line as wide as the terminal would continue on the next one.
      stream.write(erased + line.slice(0, (stream.columns || 80) - 1));
    },
    ready({ url, logFile }, facts) {
      const text = facts
        ? banner(facts)
        : `The Accounting Data Exchange listens on ${url}/v1\nLog  ${logFile}\n`;
      stream.write(erased + text);
    },
  };
}
