/** The evidence of an answer to a signature request (D-37). */

import type { Language } from '@adx/contract';
import { brusselsTime, longTime } from '../../dates/brussels-day.js';
import { textsIn } from './page/texts/all-texts.js';
import { type ShownFact, type ShownRequest, sha256 } from './shown-request.js';

/** An answer, its signer, and everything that the page showed. */
export interface Evidence {
  /** The version of these fields. */
  readonly format: 1;
  readonly requestId: string;
  readonly answer: 'signed' | 'declined';
  /** The ids of the mandates that the contact excluded from the signature. */
  readonly excluded: readonly string[];
  /** UTC, to the second. */
  readonly answeredOn: string;
  /** The same instant with the offset of Belgium. */
  readonly answeredOnInBelgium: string;
  readonly signer: {
    /** The name that the contact entered; null for a refusal, which has none. */
    readonly name: string | null;
    /** The address to which the signing URL was sent. */
    readonly email: string;
    readonly ipAddress: string | null;
    readonly userAgent: string | null;
  };
  readonly shown: ShownRequest;
}

/** Evidence as it is stored: a text and the hash that was computed when it was written. */
export interface StoredEvidence {
  /** The request of the row, which the text has too. */
  readonly requestId: string;
  /** JSON. It is hashed and stored as it is, and never serialised again. */
  readonly content: string;
  /** SHA-256 of its UTF-8, as 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Evidence that fits its hash and its request. */
export type CheckedEvidence = Evidence & StoredEvidence;

/** The reason why stored evidence proves nothing. */
export type EvidenceFault = 'otherHash' | 'otherRequest';

export const evidenceFaults: Readonly<Record<EvidenceFault, string>> = {
  otherHash: 'the text does not fit the hash',
  otherRequest: 'the text is not the evidence of this signature request',
};

export function composeEvidence(
  answer: Pick<Evidence, 'requestId' | 'answer' | 'excluded' | 'signer' | 'shown'>,
  now: Date,
): Evidence {
  return {
    format: 1,
    requestId: answer.requestId,
    answer: answer.answer,
    excluded: answer.excluded,
    answeredOn: `${now.toISOString().slice(0, 19)}Z`,
    answeredOnInBelgium: brusselsTime(now),
    signer: answer.signer,
    shown: answer.shown,
  };
}

/** Writes evidence as indented JSON, which people can read too. */
export function writeEvidence(evidence: Evidence): StoredEvidence {
  const content = `${JSON.stringify(evidence, null, 2)}\n`;
  return { requestId: evidence.requestId, content, sha256: sha256(content) };
}

/**
 * Checks that the text is the one for which the hash was computed, and that it is the evidence of
 * its request: a row that was replaced by that of another request has a hash that fits.
 */
export function checkEvidence(stored: StoredEvidence): CheckedEvidence | EvidenceFault {
  if (sha256(stored.content) !== stored.sha256) return 'otherHash';
  const evidence = parseEvidence(stored.content);
  return evidence?.requestId === stored.requestId ? { ...evidence, ...stored } : 'otherRequest';
}

/** @throws Error if it does not fit its hash or its request */
export function readEvidence(stored: StoredEvidence): CheckedEvidence {
  const checked = checkEvidence(stored);
  if (typeof checked !== 'string') return checked;
  throw new Error(
    `The evidence of signature request ${stored.requestId} was changed: ${evidenceFaults[checked]}`,
  );
}

/**
 * Parses a text whose hash was checked; undefined if it is no JSON, so the service has not written
 * it.
 */
function parseEvidence(content: string): Evidence | undefined {
  try {
    return JSON.parse(content) as Evidence;
  } catch {
    return undefined;
  }
}

/**
 * Returns the text that belongs to the answer: the one beside the checkbox, ticked if the contact
 * signed, and after a refusal those of its checkbox and above its button.
 */
export function answeredText({ answer, shown }: Evidence): string[] {
  const { consent, decline, refusal } = shown.text;
  if (answer === 'signed') return [`☑ ${consent}`];
  return [`☐ ${consent}`, `☑ ${decline}`, refusal];
}

/**
 * Returns the text beside the checkbox of each mandate, ticked if the contact excluded it. The text
 * of a single mandate has none.
 */
export function exclusionsOf({ excluded, shown }: Evidence): string[] {
  const { exclude } = shown.text;
  if (exclude === undefined) return [];
  return shown.mandates.map(({ id }) => `${excluded.includes(id) ? '☑' : '☐'} ${exclude}`);
}

/** Returns the signer, the time and the hash in words. A fact without a value is omitted. */
export function evidenceFacts(evidence: CheckedEvidence, language: Language): ShownFact[] {
  const { facts } = textsIn[language];
  const { answer, signer } = evidence;
  const time = longTime(new Date(evidence.answeredOn), language);
  const known: readonly (readonly [label: string, value: string | null])[] = [
    [facts.signedBy, signer.name],
    [answer === 'signed' ? facts.signedOn : facts.declinedOn, time],
    [facts.linkSentTo, signer.email],
    [facts.ipAddress, signer.ipAddress],
    [facts.browser, signer.userAgent],
    [facts.fingerprint, evidence.sha256],
  ];
  return known.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}
