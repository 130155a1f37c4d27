import { inspect } from 'node:util';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { z } from 'zod';
import { ScenarioRefusal } from '../scenario-refusal.js';
import {
  listScenarios,
  type ScenarioBody,
  type ScenarioName,
  scenarioDescriptions,
  unknownScenario,
} from './descriptions.js';

/** The functions that do the scenarios, and return what they did, for the answer. */
export type ScenarioRuns = {
  readonly [Name in ScenarioName]: (body: ScenarioBody<Name>) => Promise<object>;
};

export function createScenarioApp(runs: ScenarioRuns): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/sandbox', requireSameOrigin, (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.get('/sandbox/', (_request, response) => {
    response.json({ scenarios: listScenarios() });
  });
  const readBody = express.json({ limit: '64kb', strict: true });
  app.post('/sandbox/:name', requireJson, readBody, async ({ params, body }, response) => {
    response.json(await runScenario(runs, scenarioName(params['name']), body));
  });
  app.use('/sandbox/:name', ({ params }) => {
    const name = scenarioName(params.name);
    throw new ScenarioRefusal(`Send a POST request to /sandbox/${name}`, 405, { Allow: 'POST' });
  });
  app.use((request) => {
    throw new ScenarioRefusal(
      `GET /sandbox/ lists the scenarios; ${request.method} ${request.path} is none`,
      404,
    );
  });
  app.use(refuse);
  return app;
}

function scenarioName(text: unknown): ScenarioName {
  const names = Object.keys(scenarioDescriptions) as ScenarioName[];
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new ScenarioRefusal(unknownScenario(text), 404);
}

function runScenario<Name extends ScenarioName>(
  runs: ScenarioRuns,
  name: Name,
  body: unknown,
): Promise<object> {
  const schema = scenarioDescriptions[name].body;
  const { success, data, error } = schema.safeParse(body, { reportInput: true });
  if (success) return runs[name](data as ScenarioBody<Name>);
  const fields = Object.keys(schema.shape);
  throw new ScenarioRefusal(error.issues.map((issue) => describe(issue, name, fields)).join('; '));
}

function describe(issue: z.core.$ZodIssue, name: string, fields: readonly string[]): string {
  const { code, path, message, input } = issue;
  if (code === 'unrecognized_keys') {
    return `${name} has no ${issue.keys.join(', ')}; it has ${fields.join(', ')}`;
  }
  if (path.length === 0) return message;
  return input === undefined ? `${path.join('.')} is required` : `${path.join('.')}: ${message}`;
}

/**
 * Refuses the requests that a page of another site makes a browser send: those with the name of
 * another host, which may resolve to this machine (DNS rebinding), and those of another origin.
 */
const requireSameOrigin: RequestHandler = ({ headers }, _response, next) => {
  const { host = '', origin } = headers;
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host)) {
    throw new ScenarioRefusal(
      'Scenarios are only for this machine: call it 127.0.0.1 or localhost',
      403,
    );
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ScenarioRefusal('Scenarios are not for pages of another origin', 403);
  }
  next();
};

const requireJson: RequestHandler = (request, _response, next) => {
  if (/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return next();
  throw new ScenarioRefusal('Send the body as application/json', 415);
};

const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  const refusal = toRefusal(error);
  if (refusal.status === 500) process.stderr.write(`scenario: ${inspect(error)}\n`);
  if (response.headersSent) return void response.destroy();
  response.status(refusal.status).set(refusal.headers).json({ error: refusal.message });
};

function toRefusal(error: unknown): ScenarioRefusal {
  if (error instanceof ScenarioRefusal) return error;
  const { type, status, message } = error as { type?: string; status?: number; message?: string };
  // Errors of express.json.
  if (type !== undefined && status !== undefined && status < 500) {
    return new ScenarioRefusal(
      type === 'entity.parse.failed' ? 'The body is not a JSON object' : String(message),
      status,
    );
  }
  return new ScenarioRefusal(`The scenario failed: ${String(message ?? error)}`, 500);
}
