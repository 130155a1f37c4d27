/** A command that could not do what it was asked; the message is one sentence for the operator. Exit code 1. */
export class OperatorFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFailure';
  }
}
