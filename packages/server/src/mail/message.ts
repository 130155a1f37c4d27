/** A mail to one person, as text and as HTML. */
export interface Message {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * Letters, digits and `.`, `-`, `_` between them: the local part of the Message-ID. The same for a
   * message that is sent twice, by which mail programs can tell.
   */
  readonly id: string;
  /** Language of subject and texts, such as `nl`. */
  readonly language: string;
}

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
