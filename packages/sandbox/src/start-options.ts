import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ownShell, type Shell, shells } from './demo/first-call.js';

export interface StartOptions {
  readonly data: string;
  readonly port: number;
  readonly storagePort: number;
  readonly host: string;
  readonly empty: boolean;
  readonly shell: Shell;
}

export function withStartOptions(command: Command): Command {
  const port = new Option('--port <port>', 'port of the interface, also as the variable PORT');
  // An empty variable counts as missing, as in the service.
  if (process.env['PORT']) port.env('PORT');
  return withData(command)
    .addOption(port.argParser(parsePort).default(3000))
    .option('--storage-port <port>', 'port of the object storage', parsePort, 3001)
    .addOption(
      new Option(
        '--host <address>',
        'address to listen on; 0.0.0.0 in a container, whose ports are published on 127.0.0.1',
      )
        .choices(['127.0.0.1', '0.0.0.0'])
        .default('127.0.0.1'),
    )
    .addOption(
      new Option('--shell <shell>', 'shell for which the settings and a first call are shown')
        .choices(shells)
        .default(ownShell(process)),
    )
    .option('--empty', 'without demo firms', false);
}

export function withData(command: Command): Command {
  return command.option(
    '--data <folder>',
    'folder for all data',
    (path) => resolve(path),
    resolve('.data'),
  );
}

/** @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It is not a port.');
}
