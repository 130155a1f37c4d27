import { expect, test } from 'vitest';
import { refusesMailbox } from '../../src/mail/smtp-reply.js';

/** Replies to `RCPT TO` as these servers write them. */
const aboutTheMailbox = {
  Postfix: [
    '550 5.1.1 <jan@x.example>: Recipient address rejected: User unknown in local recipient table',
    '550 5.1.1 <jan@x.example>: Recipient address rejected: User unknown in relay recipient table',
    '550 5.1.1 <jan@x.example>: Recipient address rejected: undeliverable address: host mx.x.example[192.0.2.1] said: 550 5.1.1 unknown (in reply to RCPT TO command)',
    '550 5.1.2 <jan@x.example>: Recipient address rejected: Domain not found',
    '550 5.1.0 <jan@x.example>: Recipient address rejected: moved',
    '556 5.1.10 <jan@x.example>: Recipient address rejected: Domain x.example does not accept mail (nullMX)',
    '501 5.1.3 Bad recipient address syntax',
  ],
  Exim: [
    '550 No Such User Here"',
    '550 Unknown user',
    '550 unrouteable address',
    '550-Verification failed for <jan@x.example>\n550-No Such User Here\n550 Unrouteable address',
  ],
  Exchange: [
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jan@x.example not found by SMTP address lookup',
    '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable',
    '550 5.1.1 User unknown',
    '550 5.2.1 Mailbox cannot be accessed',
  ],
  'Outlook.com': ['550 Requested action not taken: mailbox unavailable'],
  Gmail: [
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser - gsmtp",
    '550 5.2.1 The email account that you tried to reach is disabled. https://support.google.com/mail/?p=DisabledUser',
  ],
  Proofpoint: ['550 5.1.1 User Unknown', '550 5.1.1 <jan@x.example>... User unknown'],
  Mimecast: ['550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [a.b]'],
  qmail: [
    '550 sorry, no mailbox here by that name (#5.1.1)',
    '553 sorry, no mailbox here by that name. (#5.1.1 - chkuser)',
    '511 sorry, no mailbox here by that name (#5.1.1 - chkuser)',
  ],
  'AT&T': ['550 5.2.1 <JAN@X.EXAMPLE>... Addressee unknown, relay=[192.0.2.1]'],
  Barracuda: [
    '550 cuda_nsu 5.1.1 <jan@x.example> Recipient address rejected: User unknown',
    '550 No such user (jan@x.example)',
  ],
  Yahoo: ["554 delivery error: dd This user doesn't have a yahoo.com account (jan@yahoo.com) [0]"],
  'web.de, AOL and others': [
    '550 Benutzer nicht bekannt/User unknown',
    '550 Unknown local part jan in <jan@x.example>',
    '550 MAILBOX NOT FOUND',
    '550 Mailbox does not exist',
    '553 Requested action not taken: mailbox name not allowed',
    '550 <relay@sender.example> No such user here',
  ],
};

const aboutSomethingElse = {
  Postfix: [
    '554 5.7.1 <jan@x.example>: Relay access denied',
    '550 5.1.7 <adx@y.example>: Sender address rejected: User unknown in virtual mailbox table',
    '550 5.1.8 <adx@y.example>: Sender address rejected: Domain not found',
    '550 5.1.0 <adx@y.example>: Sender address rejected: not here',
    '553 5.7.1 <adx@y.example>: Sender address rejected: not owned by user adx',
    '554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
    '450 4.1.2 <jan@x.example>: Recipient address rejected: Domain not found',
    '450 4.1.1 <jan@x.example>: Recipient address rejected: unverified address: User unknown',
    '451 4.3.0 <jan@x.example>: Temporary lookup failure',
    '552 5.2.2 <jan@x.example>: Recipient address rejected: Mailbox is full / Over quota',
    '554 5.4.6 Error: too many hops',
    '550 5.3.4 message size exceeds fixed limit',
  ],
  Exim: [
    '550 relay not permitted',
    '550-Verification failed for <adx@y.example>\n550-No Such User Here\n550 Sender verify failed',
    '550 Administrative prohibition',
    '550 "Your IP address is not known here: JunkMail rejected"',
    '550 authentication required',
  ],
  Exchange: [
    '550 5.4.1 Recipient address rejected: Access denied. [AM6EUR05FT012]',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    '550 5.1.8 Access denied, bad outbound sender AS(42003)',
    '550 5.7.1 Unable to relay',
    '550 5.7.64 TenantAttribution; Relay Access Denied',
    '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
    '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail',
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)',
    '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded',
  ],
  Gmail: [
    '550-5.7.1 Invalid credentials for relay [192.0.2.1]. The IP address you have\n550 5.7.1 registered is not a registered address',
    '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents additional messages from being delivered.',
    "452 4.2.2 The recipient's inbox is out of storage space",
    '550 5.4.5 Daily SMTP relay limit exceeded for user',
    '421 4.7.0 Try again later, closing connection.',
  ],
  Proofpoint: [
    '554 5.7.1 <jan@x.example>: Relay access denied',
    '554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1',
    '550 5.7.0 Local Policy Violation',
  ],
  Mimecast: [
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550',
    '550 Rejected by header based Anti-Spoofing policy: adx@y.example',
    '451 Internal resources are temporarily unavailable',
    '554 Email rejected due to security policies',
    '550 Envelope blocked - User Entry',
  ],
  qmail: [
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    '553 sorry, your envelope sender is in my badmailfrom list (#5.7.1)',
  ],
  Comcast: ['550 5.2.0 Message rejected due to DMARC.'],
  'hMailServer, GMX and others': [
    '550 Delivery is not allowed to this address.',
    '550 Requested action not taken: mailbox unavailable. Reject due to policy restrictions.',
    '553 Relaying denied: user unknown',
    '550 mailbox temporarily unavailable',
    '551 User not local; please try <jan@z.example>',
    '550 User has exhausted allowed storage space.',
    '550 [5.1.1.7] rejected',
    '550 no such user is authenticated',
    '550',
    '',
  ],
};

const rows = (replies: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(replies).flatMap(([server, each]) => each.map((reply) => [server, reply]));

test.each(rows(aboutTheMailbox))('D-25 %s: %j refuses the mailbox', (_server, reply) => {
  expect(refusesMailbox(reply)).toBe(true);
});

test.each(rows(aboutSomethingElse))('D-25 %s: %j is tried again', (_server, reply) => {
  expect(refusesMailbox(reply)).toBe(false);
});

test('D-25 of all enhanced codes, only those of a mailbox refuse it', () => {
  const detail = Array.from({ length: 40 }, (_, place) => place);
  const all = [4, 5].flatMap((kind) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((subject) =>
      detail.map((each) => `${kind}.${subject}.${each}`),
    ),
  );
  const refusing = all.filter((code) => refusesMailbox(`550 ${code} No such user`));
  expect(refusing).toEqual(
    all.filter((code) => /^5\.[12]\./.test(code) && !['5.1.7', '5.1.8', '5.2.2'].includes(code)),
  );
});
