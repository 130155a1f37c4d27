import { setMaxListeners } from 'node:events';
import {
  ApiError,
  AuthenticationError,
  isTemporary,
  StorageError,
  seemsRefused,
  UnauthorizedError,
} from '@adx/client';

/**
 * Exit codes that a scheduler can use (D-51): after `failed`, the same command may succeed later;
 * after `wrongUse` only with another command line, file or setting; after `refused` with other
 * credentials or rights.
 */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  refused: 3,
  /** 128 + SIGINT, as of other programs. */
  interrupted: 130,
} as const;

/** The command cannot be carried out. The message is for the user, one sentence, or a few. */
export class CommandFailure extends Error {
  readonly exitCode: number = exitCodes.failed;
}

/** Somebody has to correct the command line, a file or a setting. */
export class WrongUse extends CommandFailure {
  override readonly exitCode = exitCodes.wrongUse;
}

/** Some of the files, lines or checks of a command have failed. */
export class PartFailure extends CommandFailure {
  override readonly exitCode: number;

  /** @param parts the exit codes of the parts; the one that asks most of somebody counts */
  constructor(message: string, parts: readonly number[]) {
    super(message);
    this.exitCode = Math.max(exitCodes.failed, ...parts);
  }
}

/** Somebody has pressed Ctrl-C, or the system ends the process. */
export class Interrupted extends CommandFailure {
  override readonly exitCode = exitCodes.interrupted;

  constructor() {
    super('The command was interrupted.');
  }
}

/**
 * Runs something that Ctrl-C interrupts: the signal aborts with `Interrupted`, so that it can
 * report what is done. The second Ctrl-C ends the process.
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

/**
 * Returns true if a proxy has replaced an answer of the status of refused sign-ins (§7). The
 * command must not be run again and again, because ten refused sign-ins lock the user out for 15
 * minutes.
 */
export function mayBeRefusedSignIn(error: ApiError): boolean {
  return error.operation === 'getToken' && error.code === undefined && seemsRefused(error);
}

/** Returns true if somebody has to change the key, the password or the rights of the user. */
function isRefusal(error: ApiError): boolean {
  if (error instanceof AuthenticationError || error instanceof UnauthorizedError) return true;
  return (
    mayBeRefusedSignIn(error) ||
    error.code === 'invalidApiKey' ||
    error.code === 'insufficientScope'
  );
}

/**
 * Returns true if the same call may succeed later, as when a proxy has answered in place of the
 * service.
 */
function mayPass(error: ApiError): boolean {
  const { code } = error;
  return code === undefined || code === 'idempotencyKeyInUse' || isTemporary(error);
}

/**
 * Returns true if a command that goes on may try again: its client signs in rarely if that may be
 * refused.
 */
export function mayGoOn(error: unknown): boolean {
  const isReplaced = error instanceof ApiError && mayBeRefusedSignIn(error);
  return isReplaced || exitCodeOf(error) === exitCodes.failed;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode;
  if (!(error instanceof ApiError) || error instanceof StorageError) return exitCodes.failed;
  if (isRefusal(error)) return exitCodes.refused;
  return mayPass(error) ? exitCodes.failed : exitCodes.wrongUse;
}

/** Returns the name of an exit code, such as `wrongUse`. */
export function exitCodeName(exitCode: number): string {
  const found = Object.entries(exitCodes).find(([, code]) => code === exitCode);
  return found?.[0] ?? 'failed';
}
