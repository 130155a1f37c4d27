import type { ComposedMail } from './compose-mail.js';

/** A way for messages to leave the service. */
export interface Delivery {
  /** @throws RecipientRefused, or any other Error, as `Mailer.send` does */
  deliver(mail: ComposedMail): Promise<void>;
  close(): void;
}
