import { EventEmitter } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { openElapsedTime, openHeldMandates } from '../kept-state.js';
import { createOperator } from '../operator.js';
import { ownCalls, type ServiceSettings } from '../settings-file.js';
import { ageIdToken } from './age-id-token.js';
import { createArmedErrors, sendArmedError } from './armed-errors.js';
import { createScenarioRuns } from './run-scenarios.js';
import { createScenarioApp } from './scenario-app.js';

/**
 * Takes requests before the service of this process does (D-53): those for the scenarios, and those
 * that get an error that was set. ID tokens of other requests become as old as scenarios have made
 * them.
 */
export function openFront(dataDir: string, settings: ServiceSettings): void {
  const errors = createArmedErrors(Number(settings['RATE_LIMIT_PER_MINUTE'] ?? 1200));
  const elapsed = openElapsedTime(dataDir);
  const app = createScenarioApp(
    createScenarioRuns({
      ...{ dataDir, settings, elapsed, errors },
      operator: createOperator(settings),
      held: openHeldMandates(dataDir),
    }),
  );
  takeRequests(async (request, response) => {
    const { method = '', url: target = '', headers } = request;
    if (target.startsWith(`${ownCalls}/`)) {
      request.url = target.slice(ownCalls.length);
      return false;
    }
    if (/^\/sandbox(\/|\?|$)/.test(target)) {
      app(request, response);
      return true;
    }
    const error = errors.take(method, target, headers['x-api-key']?.toString());
    if (error === undefined) await ageIdToken(request, elapsed, settings);
    else await sendArmedError(error, request, response, Number(settings.PORT));
    return error !== undefined;
  });
}

/**
 * Calls a function with each request to an HTTP server of this process, and emits the request only
 * if it was not taken. The service creates its server itself and has no place for this, so that
 * nothing of the scenarios is in it.
 */
function takeRequests(
  take: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>,
): void {
  const { emit } = EventEmitter.prototype;
  Object.defineProperty(Server.prototype, 'emit', {
    value(this: Server, event: string, ...values: [IncomingMessage, ServerResponse]): boolean {
      if (event !== 'request') return emit.call(this, event, ...values);
      const [request, response] = values;
      take(request, response).then(
        (isTaken) => {
          // A response that has closed already would never end for the service.
          if (!isTaken && !response.closed) emit.call(this, event, ...values);
        },
        (error: Error) => response.destroy(error),
      );
      return true;
    },
  });
}
