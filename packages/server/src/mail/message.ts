import { replaceUnprintable } from '@adx/command/unprintable';
import type { SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { encodeWord } from 'nodemailer/lib/mime-funcs';

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface Message {
  readonly to: Mailbox;
  /** Where replies go; without it, to the sender. */
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * The local part of the Message-ID: letters and digits, with `.`, `-` or `_` between them. If a
   * message is sent twice, mail programs recognise the copy by it.
   */
  readonly id: string;
  readonly attachments?: readonly Attachment[];
  /** The language of the subject and texts, such as `nl`. */
  readonly language: string;
}

export interface Attachment {
  /** ASCII letters, digits, `.`, `-` and `_`. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/**
 * The mail server refused the mailbox for good, or the address is invalid, so a retry cannot
 * succeed. The error contains neither the address nor the reply of the server.
 */
export class MailRejected extends Error {
  override readonly name = 'MailRejected';
}

export interface MailTransport {
  /** @throws MailRejected, or any other Error, as `Mailer.send` does */
  deliver(mail: ComposedMail): Promise<void>;
  close(): void;
}

export interface ComposedMail {
  readonly id: string;
  readonly composedOn: Date;
  readonly options: SendMailOptions & { readonly text: string; readonly html: string };
}

/** An address that needs no quoting in an SMTP envelope, in any script; the server decides. */
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]]{1,253}$/u;

/** An id or a file name that is valid in a Message-ID and in any file system. */
const ID = /^[A-Za-z\d]+(?:[._-]+[A-Za-z\d]+)*$/;

/** Parses `name@host` or `Name <name@host>`; undefined if it is not exactly one address. */
export function parseSender(mailFrom: string): Mailbox | undefined {
  const [sender, ...others] = addressparser(mailFrom, { flatten: true });
  const isOne = sender !== undefined && others.length === 0 && !/\p{Cc}/u.test(mailFrom);
  if (!isOne || !ADDRESS.test(sender.address)) return undefined;
  return { name: singleLine(sender.name), address: sender.address };
}

/**
 * Marks a message as sent by a program, so that it triggers no out-of-office reply (RFC 3834).
 *
 * @throws MailRejected if the address is invalid
 * @throws TypeError if the id, the address for replies, or the name of an attachment is invalid
 */
export function composeMail(message: Message, sender: Mailbox, composedOn: Date): ComposedMail {
  const { id, to, replyTo, subject, text, html, attachments = [], language } = message;
  if (!ID.test(id)) throw new TypeError(`${JSON.stringify(id)} is not a valid id of a message`);
  if (!attachments.every(({ filename }) => ID.test(filename)))
    throw new TypeError('The name of an attachment is invalid');
  if (!ADDRESS.test(to.address)) throw new MailRejected('The address of the recipient is invalid');
  if (replyTo !== undefined && !ADDRESS.test(replyTo.address))
    throw new TypeError('The address for replies is invalid');
  const headerMailbox = ({ name, address }: Mailbox) => ({ name: headerText(name), address });
  const host = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    id,
    composedOn,
    options: {
      from: headerMailbox(sender),
      to: headerMailbox(to),
      ...(replyTo && { replyTo: headerMailbox(replyTo) }),
      envelope: { from: sender.address, to: to.address },
      messageId: `<${id}@${host}>`,
      date: composedOn,
      subject: headerText(subject),
      text,
      html,
      attachments: [...attachments],
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}

/** A dot, colon or at sign in or after a word, as in URLs and addresses, and its look-alikes. */
const IN_LINKS = /(?<=\S)[.:@\u2024\u3002\ufe52\ufe55\ufe6b\uff0e\uff1a\uff20\uff61](?=\S|$)/gu;

/** Invisible; neither a letter nor a space, and refused in the names of hosts. */
const ZERO_WIDTH_NON_JOINER = '\u200c';

/** Returns a text that looks the same, and of which mail programs make no hyperlink (D-36). */
function withoutLinks(text: string): string {
  return text.replaceAll(IN_LINKS, (mark) => ZERO_WIDTH_NON_JOINER + mark + ZERO_WIDTH_NON_JOINER);
}

/** Returns a name that adds neither lines nor hyperlinks to a mail. */
export function plainName(name: string): string {
  return withoutLinks(singleLine(name));
}

/**
 * Encodes as a whole what looks like an encoded word (RFC 2047), because mail programs would decode
 * it into any other text.
 */
function headerText(text: string): string {
  const line = singleLine(text);
  return line.includes('=?') ? encodeWord(line, 'B', 52) : line;
}

/** Returns a text as one line, without characters that end it or reorder the text after it. */
function singleLine(text: string): string {
  return replaceUnprintable(text, ' ').replaceAll(/ {2,}/g, ' ').trim();
}
