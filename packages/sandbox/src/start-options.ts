import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface StartOptions {
  readonly data: string;
  readonly port: number;
  readonly storagePort: number;
  readonly empty: boolean;
}

export function withStartOptions(command: Command): Command {
  const port = new Option('--port <port>', 'port of the interface, also as the variable PORT');
  // An empty variable counts as missing, as in the service.
  if (process.env['PORT']) port.env('PORT');
  return withData(command)
    .addOption(port.argParser(parsePort).default(3000))
    .option('--storage-port <port>', 'port of the object storage', parsePort, 3001)
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
