import type { ServerResponse } from 'node:http';

/** A refusal with an error code of S3 or STS. Partners read the message. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Returns the error document of S3, or that of STS, which has another form. */
export function errorDocument({ status, code, message }: S3Error, isOfSts: boolean): string {
  const type = isOfSts ? `<Type>${status < 500 ? 'Sender' : 'Receiver'}</Type>` : '';
  const error = `<Error>${type}<Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${isOfSts ? `<ErrorResponse>${error}</ErrorResponse>` : error}`;
}

export function sendXml(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/xml');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function keyExists(): S3Error {
  return new S3Error(412, 'PreconditionFailed', 'There is an object with this key');
}
