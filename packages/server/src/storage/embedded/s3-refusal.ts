import type { ServerResponse } from 'node:http';

/** The errors of S3 that the embedded storage answers by itself, with their statuses. */
const statuses = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  ExpiredToken: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidRequest: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
};

/** A request that is refused, as S3 would refuse it. The message is read by partners. */
export class S3Refusal extends Error {
  readonly code: keyof typeof statuses;
  readonly status: number;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.name = 'S3Refusal';
    this.code = code;
    this.status = statuses[code];
  }

  /** The body of the answer. */
  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${escapeXml(this.message)}</Message></Error>`;
  }
}

/** Writes status and type of a refusal; the body is left to the caller. */
export function beginRefusal(response: ServerResponse, { status }: S3Refusal): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/xml');
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
