import { type Head, parseRequestLine, valuesOf } from '../proxy/http-messages.js';
import type { Route } from '../proxy/start-proxy.js';
import { ageIdToken, type KeySettings } from './age-id-token.js';
import type { ArmedErrors } from './armed-errors.js';
import type { ElapsedTime } from './kept-state.js';
import type { ScenarioServer } from './scenario-server.js';

interface Parts {
  readonly errors: ArmedErrors;
  readonly elapsed: ElapsedTime;
  readonly server: ScenarioServer;
  readonly settings: KeySettings;
}

/**
 * Creates the function that says where a request goes: to the scenarios if it is for them or gets
 * an error that was set, otherwise to the service, with an ID token that is as old as scenarios
 * have made it.
 */
export function createRequestRoute({ errors, elapsed, server, settings }: Parts) {
  return async (head: Head): Promise<Route> => {
    const call = parseRequestLine(head);
    if (call === undefined) return { to: 'service' };
    if (/^\/sandbox(\/|\?|$)/.test(call.target)) return { to: 'scenarios' };
    const answer = errors.take({ ...call, apiKey: valuesOf(head, 'x-api-key')[0] });
    if (answer !== undefined) {
      const startLine = head.startLine.replace(call.target, () => server.keepAnswer(answer));
      const text = head.bytes.toString('latin1').replace(head.startLine, () => startLine);
      return { to: 'scenarios', head: Buffer.from(text, 'latin1') };
    }
    const aged = await ageIdToken(head, elapsed, settings);
    return { to: 'service', ...(aged !== undefined && { head: aged }) };
  };
}
