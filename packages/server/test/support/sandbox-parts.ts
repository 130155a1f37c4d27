import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type SandboxPart, startSandboxPart } from './sandbox-part.js';

/**
 * The parts of the sandbox that all files of a test run share. Each is started when a file first
 * needs it.
 */
export interface SandboxParts {
  /** One PostgreSQL. */
  readonly database: {
    /** URL of a database for administrative commands. The test databases are on the same server. */
    readonly url: string;
    /** Name of a database with all migrations, which is copied. */
    readonly template: string;
  };
  /** The settings that lead to one object storage. */
  readonly storage: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the process of the run answers with a part, by its name, once the part runs. */
    sandboxPartsUrl: string;
  }
}

const asked: { [Name in keyof SandboxParts]?: Promise<SandboxParts[Name]> } = {};

/** Returns a part of the sandbox to a test. */
export async function sandboxPart<Name extends keyof SandboxParts>(
  name: Name,
): Promise<SandboxParts[Name]> {
  asked[name] ??= (async () => {
    const response = await fetch(`${inject('sandboxPartsUrl')}/${name}`);
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  })() as (typeof asked)[Name];
  return asked[name] ?? Promise.reject(new Error(`There is no part ${name}`));
}

/**
 * Starts parts for the processes of a test run that ask for them, and stops them after all files.
 */
export default async function offerSandboxParts(
  project: TestProject,
): Promise<() => Promise<void>> {
  const started: SandboxPart[] = [];
  const start = async (...parameters: Parameters<typeof startSandboxPart>) => {
    const part = await startSandboxPart(...parameters);
    started.unshift(part);
    return part.settings;
  };
  const database = startedOnce(async () => {
    const { DATABASE_URL: url = '' } = await start('database');
    // Files that need no database need not wait for its libraries.
    const { createTemplate } = await import('./template-database.js');
    return { url, template: await createTemplate(url) };
  });
  const storage = startedOnce(async () =>
    start('storage', '--port', '0', '--database', (await database()).url),
  );
  const server = createServer(async ({ url }, response) => {
    try {
      const part = url === '/database' ? database() : storage();
      response.end(JSON.stringify(await part));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  project.provide('sandboxPartsUrl', `http://127.0.0.1:${port}`);
  return async () => {
    server.close();
    for (const part of started) await part.stop();
  };
}

function startedOnce<Part>(start: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => {
    part ??= start();
    return part;
  };
}
