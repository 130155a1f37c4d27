import type { ServerResponse } from 'node:http';

/** The errors of S3 and STS that this storage answers, with their HTTP statuses. */
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
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPolicyDocument: 400,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  ValidationError: 400,
  XAmzContentSHA256Mismatch: 400,
};

/** A request that is refused with an error of S3 or STS. Partners read the message. */
export class S3Error extends Error {
  readonly code: keyof typeof statuses;
  readonly status: number;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = statuses[code];
  }
}

/** The error document of S3; STS clients find `Code` and `Message` in it too. */
export function errorDocument({ code, message }: S3Error): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
}

/** Sends an XML document. */
export function sendXml(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/xml');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
