/** Replies about the session or the login, whatever their text says (RFC 5321, RFC 4954). */
const ABOUT_SESSION = /^5(?:03|3\d)/;

/** A status code of RFC 3463 at any place: qmail writes it at the end, as in `(#5.1.1)`. */
const ENHANCED_CODE = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/** The codes about a mailbox. 5.1.7 and 5.1.8 are about the sender's, and 5.2.2 is a full one. */
const MAILBOX_CODE = /^5\.(?:1\.(?![78]$)|2\.(?!2$))/;

/** Exchange, Gmail and Comcast use codes of mailboxes for these too: 5.1.90, 5.2.1 and 5.2.0. */
const ABOUT_SENDER = /\bsenders?\b|\blimit|\brate\b|\bdmarc\b/i;

/** Causes that the sender, its server or time can mend, for replies without an enhanced code. */
const ABOUT_OTHERS =
  /\bfrom\b|return|\brelay(?:ing)?\b(?! recipient table)|\bIP\b|\bspf\b|\bdkim\b|spam|block|list(?:ed|ing)|polic|denied|authent|reputation|prohibit|too (?:many|much)|quickly|temporar|currently|later|quota|exceed|\bfull\b|storage|busy/i;

const MAILBOX =
  /\b(?:user|mail ?box|recipient|address(?:ee)?|account|alias|local[ -]part|person)\b/i;

const GONE =
  /\bno (?:such|mail ?box|user)\b|unknown|invalid|unavailable|unroute?able|undeliverable|name not allowed|no longer|not (?:known|found|exist|available|(?:a )?valid|a known)|n[o']t (?:exist|have an?\b)/i;

/**
 * Returns true if a reply to `RCPT TO` says that the mailbox does not exist or takes no mail. Any
 * other failure may end by itself or when the sender is mended.
 *
 * Without an enhanced status code, the words decide: RFC 5321 gives 550 to unknown mailboxes and to
 * policies alike, and servers give 553 and 554 to both. A reply that is not clearly about the
 * mailbox is not taken for one, because a message that is sent in vain again costs less than a
 * request that ends.
 */
export function refusesMailbox(reply: string): boolean {
  if (!reply.startsWith('5') || ABOUT_SESSION.test(reply)) return false;
  // Addresses and URLs may contain any of the words.
  const text = reply.replaceAll(/<[^<>]*>|\S+@\S+|https?:\S+/g, ' ');
  if (ABOUT_SENDER.test(text)) return false;
  const [code] = ENHANCED_CODE.exec(text) ?? [];
  if (code !== undefined) return MAILBOX_CODE.test(code);
  return MAILBOX.test(text) && GONE.test(text) && !ABOUT_OTHERS.test(text);
}
