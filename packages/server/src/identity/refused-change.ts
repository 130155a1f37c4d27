/** A change that a rule of the stored firms and users refuses; the message is one sentence for the operator. */
export class RefusedChange extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedChange';
  }
}
