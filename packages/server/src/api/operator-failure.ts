/** An operator command that cannot be carried out. The message is one sentence for the operator. */
export class OperatorFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFailure';
  }
}
