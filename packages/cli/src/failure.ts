import { setMaxListeners } from 'node:events';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  type ErrorCode,
  NetworkError,
  type NetworkFailure,
  StorageError,
  UnauthorizedError,
} from '@adx/client';

/** Exit codes that a scheduler can use (D-51). */
export const exitCodes = {
  ...{ done: 0, failed: 1, wrongUse: 2, refused: 3 },
  /** 128 + SIGINT, as of other programs. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command cannot be carried out. The message is for the user, one sentence, or a few. */
export class CommandFailure extends Error {
  static {
    CommandFailure.prototype.name = 'CommandFailure';
  }
}

/** A wrong command line, or settings that are missing or malformed. */
export class WrongUse extends CommandFailure {
  static {
    WrongUse.prototype.name = 'WrongUse';
  }
}

/** Somebody has pressed Ctrl-C, or the system ends the process. */
export class Interrupted extends CommandFailure {
  static {
    Interrupted.prototype.name = 'Interrupted';
  }

  constructor() {
    super('Interrupted.');
  }
}

/**
 * Runs something that Ctrl-C interrupts: the signal aborts with `Interrupted`, so that it can report what is done.
 * The second Ctrl-C ends the process.
 */
export async function interruptible<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  // Each call listens to it, and Node 20 warns of more than ten.
  setMaxListeners(0, controller.signal);
  const interrupt = () => controller.abort(new Interrupted());
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
  }
}

/** The advice for errors that the user can mend. */
const advice: Partial<Record<ErrorCode, string>> = {
  invalidApiKey: 'Check the API key with the operator of the service, then run `adx login`.',
  insufficientScope: 'Ask the operator of the service for a key with this scope.',
  unauthorized: 'Run `adx login`.',
  portalOnly: 'Sign in as a user whose access level allows programs.',
  upload_not_allowed: 'Ask the operator of the service to enable payroll uploads for your firm.',
  ibanInUse: 'Remove the account from the customer that has it, or check the number.',
  unknownPayrollProvider: 'The codes are listed in the documentation of the interface.',
  tooManyRequests: 'Wait a minute, then run the command again.',
  unavailable: 'Run the command again later.',
};

/** The advice if no answer comes. */
const networkAdvice: Readonly<Record<NetworkFailure, string>> = {
  dns: 'Check the address, and whether this machine is online.',
  tls: 'Check the clock of this machine, and whether a proxy replaces certificates (NODE_EXTRA_CA_CERTS).',
  refused: 'Check the address, the firewall and the proxy.',
  timeout: 'Run the command again.',
  lost: 'Run the command again.',
};

/** Returns true if somebody has to change the key, the password or the rights of the user. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthenticationError || error instanceof UnauthorizedError) return true;
  if (error instanceof StorageError || !(error instanceof ApiError)) return false;
  return error.code === 'invalidApiKey' || error.code === 'insufficientScope';
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  if (error instanceof WrongUse || error instanceof BadRequestError) return exitCodes.wrongUse;
  return isRefusal(error) ? exitCodes.refused : exitCodes.failed;
}

/** Explains an error in plain words, with what to do. */
export function explain(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof AuthenticationError) {
    return `The sign-in was refused: ${error.reason}. Run \`adx login\`, or check the password.`;
  }
  if (error instanceof StorageError) {
    return `The object storage refused: ${error.message} Run \`adx doctor\`.`;
  }
  if (error instanceof ApiError) return explainApiError(error);
  if (error instanceof NetworkError) return `${error.message}. ${networkAdvice[error.reason]}`;
  return explainFileError(error) ?? (error instanceof Error ? error.message : String(error));
}

function explainApiError(error: ApiError): string {
  const { message, code, fields, details, requestId, customerId } = error;
  const known =
    customerId === undefined
      ? Object.entries(advice).find(([name]) => name === code)?.[1]
      : `See it with \`adx customers show ${customerId}\`.`;
  // The message has the first one.
  const others = [...fields, ...details.map((it) => `${it.path}: ${it.message}`)].slice(1);
  return [
    message,
    ...(others.length > 0 ? [`(${others.join('; ')})`] : []),
    ...(known === undefined ? [] : [known]),
    ...(requestId === undefined ? [] : [`[request ${requestId}]`]),
  ].join(' ');
}

/** The errors of the file system that a user can mend, by their codes. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not access it',
  EBUSY: 'another program has it open',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'there is something else in its place',
  EFBIG: 'the file is larger than this user may write',
  EIO: 'the drive does not respond',
  EISDIR: 'there is a folder in the place of the file',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'this user may not access it',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network drive has to be mounted again',
};

/** Returns true for an error of the file system. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function explainFileError(error: unknown): string | undefined {
  if (!isFileError(error)) return undefined;
  if (error.code === 'EXDEV' && 'dest' in error) {
    return `${error.path} cannot be moved to ${error.dest}, which is on another drive. Put both on one drive, then run the command again.`;
  }
  const reason = reasons[String(error.code)];
  return reason && `${error.path ?? 'A file'} cannot be read or written: ${reason}.`;
}
