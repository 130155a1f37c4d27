import type { SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { type Message, RecipientRefused } from './message.js';

interface Sender {
  readonly name: string;
  readonly address: string;
}

/** A message with everything that its headers and its envelope need. */
export interface ComposedMail {
  readonly id: string;
  readonly composedOn: Date;
  readonly options: SendMailOptions & { readonly text: string; readonly html: string };
}

/** What may stand on an envelope without quoting; in any script, whose server decides. */
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]]{1,253}$/u;

/** What may stand left of the @ of a Message-ID, and in a file name. */
const ID = /^[A-Za-z\d]+(?:[._-]+[A-Za-z\d]+)*$/;

/**
 * Reads the sender of the settings, `name@host` or `Name <name@host>`.
 *
 * @throws TypeError when it is not one address
 */
export function parseSender(mailFrom: string): Sender {
  const [sender, ...others] = addressparser(mailFrom, { flatten: true });
  const isOne = sender !== undefined && others.length === 0 && !/\p{Cc}/u.test(mailFrom);
  if (!isOne || !ADDRESS.test(sender.address)) {
    throw new TypeError('The sender of mails is not one e-mail address');
  }
  return { name: singleLine(sender.name), address: sender.address };
}

/**
 * The message with its headers: sent by a program, so no out-of-office answers it (RFC 3834).
 *
 * @throws RecipientRefused when the address cannot stand on an envelope
 */
export function composeMail(message: Message, sender: Sender, composedOn: Date): ComposedMail {
  const { id, to, subject, text, html, language } = message;
  if (!ID.test(id)) throw new TypeError(`No message can have the id ${JSON.stringify(id)}`);
  if (!ADDRESS.test(to.address)) throw new RecipientRefused('The recipient has no usable address');
  return {
    id,
    composedOn,
    options: {
      from: sender,
      to: { name: singleLine(to.name), address: to.address },
      envelope: { from: sender.address, to: to.address },
      messageId: `<${id}@${hostOf(sender.address)}>`,
      date: composedOn,
      subject: singleLine(subject),
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** A way for messages to leave the service. */
export interface Delivery {
  /** @throws RecipientRefused, or any other Error, as `Mailer.send` does */
  deliver(mail: ComposedMail): Promise<void>;
  close(): void;
}

/** What ends a line or turns the direction of what follows: neither belongs in a name. */
const LINE_ENDS_AND_TURNS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text as one line, without anything that could end the line or reorder what stands after it. */
export function singleLine(text: string): string {
  return text.replaceAll(LINE_ENDS_AND_TURNS, ' ').replaceAll(/ {2,}/g, ' ').trim();
}
