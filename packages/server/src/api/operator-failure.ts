/**
 * What the operator asked for cannot be done, or a rule of what is stored refuses it; the message is
 * one sentence for the operator.
 */
export class OperatorFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFailure';
  }
}
