/**
 * The mail server refuses this recipient or this message for good, or the address cannot stand on an
 * envelope: another attempt would end the same. Names neither the address nor what the server said.
 */
export class RecipientRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RecipientRefused';
  }
}
