/** Data that no CODA file can hold; the message names the field and the reason. */
export class CodaWriteError extends Error {
  override readonly name = 'CodaWriteError';
}
