import {
  ApiError,
  AuthenticationError,
  type ErrorCode,
  NetworkError,
  type NetworkFailure,
  StorageError,
} from '@adx/client';
import { explainFileError, isFileError } from '@adx/command/file-error';
import type { Command } from 'commander';
import type { Context } from './context.js';
import {
  CommandFailure,
  exitCodeName,
  exitCodeOf,
  exitCodes,
  mayBeRefusedSignIn,
} from './failure.js';
import { inputOf } from './input-names.js';

/** An error as `--json` prints it. */
export interface ErrorReport {
  /** The message in plain words, with what to do. */
  readonly message: string;
  /**
   * The code of the service or of the storage, why no answer came, or the name of the exit code.
   */
  readonly code: string;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** The paths of unknown fields. */
  readonly fields?: readonly string[];
  /** The values that were refused, each with the option or argument that has it. */
  readonly details?: readonly Detail[];
  readonly requestId?: string;
}

type Detail = ApiError['details'][number] & { readonly option?: string };

type Variables = Context['env'];

/** Explains an error in plain words, with what to do, its code and the id of the request. */
export function explain(error: unknown, env: Variables = {}): string {
  return textOf(reportOf(error, env));
}

/** Returns a report as text, with the code and the id of the request in brackets. */
export function textOf({ message, code, requestId }: ErrorReport): string {
  const request = requestId === undefined ? undefined : `request ${requestId}`;
  const marks = [code in exitCodes ? undefined : code, request].filter(Boolean);
  return marks.length === 0 ? message : `${message} [${marks.join(', ')}]`;
}

/**
 * @param env the variables, because the advice depends on whether they have the credentials
 * @param command the command that made the call, for the names of its options
 */
export function reportOf(error: unknown, env: Variables = {}, command?: Command): ErrorReport {
  const message = messageOf(error, env, command);
  if (error instanceof NetworkError) return { message, code: error.reason };
  const named = exitCodeName(exitCodeOf(error));
  if (!(error instanceof ApiError)) return { message, code: named };
  const { code = named, status, fields, requestId } = error;
  const details = error.details.map((detail): Detail => {
    const option = inputOf(command, detail.path);
    return { ...detail, ...(option !== undefined && { option }) };
  });
  return {
    ...{ message, code, status },
    ...(fields.length > 0 && { fields }),
    ...(details.length > 0 && { details }),
    ...(requestId !== undefined && { requestId }),
  };
}

/**
 * Returns the path of the page about an error below the documentation, if it is one of the service.
 */
export function pageOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.requestId === undefined) return undefined;
  if (error instanceof AuthenticationError) return pageOfRefusal(error);
  if (error instanceof StorageError || error.code === undefined) return undefined;
  return `errors/${error.code}.html`;
}

/** The reasons of the built-in identity provider have pages of their own. */
function pageOfRefusal({ reason }: AuthenticationError): string {
  if (reason === 'Authentication failed') return 'errors/authenticationFailed.html';
  if (reason === 'Invalid refresh token') return 'errors/invalidRefreshToken.html';
  return 'guide/signing-in.html';
}

function messageOf(error: unknown, env: Variables, command?: Command): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof AuthenticationError) {
    return `The sign-in was refused: ${error.reason}. ${changeSignIn(env, command)}`;
  }
  if (error instanceof StorageError) {
    return `The object storage refused: ${sentence(error.message)} Run \`adx doctor\`.`;
  }
  if (error instanceof ApiError) return apiMessage(error, env, command);
  if (error instanceof NetworkError) return `${error.message}. ${networkAdvice[error.reason]}`;
  return fileMessage(error) ?? sentence(error instanceof Error ? error.message : String(error));
}

function apiMessage(error: ApiError, env: Variables, command?: Command): string {
  const { message, fields, details } = error;
  const findings = [...fields.map((path) => ({ path, message: '' })), ...details];
  // The message of the client ends with the first one.
  const [first] = findings.map((it) => `${it.path} ${it.message}`.trim());
  const [about = message] = first === undefined ? [] : message.split(`: ${first}`, 1);
  const found = findings.map((it) =>
    `${inputOf(command, it.path) ?? it.path} ${it.message}`.trim(),
  );
  return [
    found.length > 0 ? `${about}: ${found.join('; ')}.` : sentence(message),
    ...[adviceOf(error, env, command) ?? []].flat(),
  ].join(' ');
}

/** Ends a message with a full stop. */
export function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function adviceOf(error: ApiError, env: Variables, command?: Command): string | undefined {
  const { code, customerId, retryAfter } = error;
  if (mayBeRefusedSignIn(error)) {
    return `A proxy has replaced the answer, which may be a refusal. ${changeSignIn(env, command)} Ten refused sign-ins lock the user out for 15 minutes.`;
  }
  if (customerId !== undefined) return `See it with \`adx customers show ${customerId}\`.`;
  if (retryAfter) return `Wait ${Math.ceil(retryAfter)} seconds, then run the command again.`;
  const text = Object.entries(advice).find(([name]) => name === code)?.[1];
  return typeof text === 'function' ? text(env) : text;
}

/** The advice for the errors of the service whose message does not say what to do. */
const advice: Readonly<Partial<Record<ErrorCode, string | ((env: Variables) => string)>>> = {
  unknownPayrollProvider: '`adx payroll-providers` lists the codes.',
  unauthorized: changeSignIn,
  portalOnly: 'Sign in as a user whose access level allows programs.',
  invalidApiKey: changeApiKey,
  insufficientScope:
    'Ask the operator of the service for a key with the scope that this needs. `adx doctor` lists those that your key lacks.',
  upload_not_allowed: 'Ask the operator of the service to enable payroll uploads for your firm.',
  ibanInUse: 'Remove the account from the customer that has it, or check the number.',
  tooManyUnsignedLinks:
    'Ask the contacts to sign, or the operator of the service for a higher number; then run it again.',
  mandateNotRequestable: 'See it with `adx mandates show`.',
  tooManyRequests: 'Wait a minute, then run the command again.',
  internalError:
    'Run the command again later. If it fails again, give the operator of the service the id of the request.',
  unavailable: 'Run the command again later.',
};

/** The advice if no answer comes. */
export const networkAdvice: Readonly<Record<NetworkFailure, string>> = {
  dns: 'Check the address, and whether this machine is online.',
  tls: 'Check the clock of this machine, and whether a proxy replaces certificates (NODE_EXTRA_CA_CERTS).',
  http: 'Write the address with http:// if it is on this machine, otherwise check the port.',
  refused: 'Check the address, the firewall and the proxy.',
  timeout: 'Run the command again.',
  lost: 'Run the command again.',
};

/** Returns how to change the API key. */
export function changeApiKey(env: Variables): string {
  const change = env['ADX_API_KEY'] === undefined ? 'run `adx login`' : 'correct ADX_API_KEY';
  return `Check the API key with the operator of the service, then ${change}.`;
}

/**
 * Returns how to sign in again. The password comes before the refresh token, and variables before
 * the profile.
 */
export function changeSignIn(env: Variables, command?: Command): string {
  if (command?.name() === 'login') {
    const place = command.opts()['passwordFile'] ?? (env['ADX_PASSWORD'] && 'ADX_PASSWORD');
    return `Check the username and the password${place === undefined ? '' : ` in ${place}`}.`;
  }
  const names = ['ADX_PASSWORD', 'ADX_PASSWORD_FILE', 'ADX_REFRESH_TOKEN'];
  const name = names.find((each) => env[each] !== undefined);
  if (name === undefined) return 'Run `adx login`, or correct the password file.';
  if (name === 'ADX_REFRESH_TOKEN') return 'Replace ADX_REFRESH_TOKEN.';
  return `Check the username, and the password in ${name}.`;
}

/**
 * Explains an error of the file system, if a user can mend it.
 *
 * @param path the file, if the error does not name it
 */
export function fileMessage(error: unknown, path = 'A file'): string | undefined {
  if (!isFileError(error)) return undefined;
  if (error.code === 'EXDEV' && 'dest' in error) {
    return `${error.path} cannot be moved to ${error.dest}, which is on another drive. Put both on one drive, then run the command again.`;
  }
  const reason = explainFileError(error);
  return reason && `${error.path ?? path} cannot be read or written: ${reason}.`;
}
