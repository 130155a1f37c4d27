import { givenTexts } from '../coda/given-text.js';
import { purposeNames } from '../coda/names/purpose-names.js';
import { reasonNames } from '../coda/names/reason-names.js';
import { transactionName } from '../coda/names/transaction-name.js';
import { returnOf } from '../coda/return-of.js';
import type { Movement } from '../coda/statement.js';
import type { PrintedTexts } from './printed-texts.js';

/** Returns the name of a movement, with the kind and the reason of an R-transaction. */
export function movementName(movement: Movement, texts: PrintedTexts): string {
  const name = transactionName(movement.transactionCode, texts.language) || texts.movement;
  const returned = returnOf(movement);
  const kind = texts.rTransactions[returned.kind];
  if (kind === undefined) return name;
  const reason = reasonName(movement, texts);
  const why =
    reason === returned.reason ? ` ${reason}` : `${texts.colon}${reason} (${returned.reason})`;
  return `${name} – ${kind}${why}`.trimEnd();
}

/** Returns the name of the reason of an R-transaction; its code if it has no name. */
export function reasonName(movement: Movement, { language }: PrintedTexts): string {
  const { reason } = returnOf(movement);
  return reasonNames[language].get(reason) ?? reason;
}

/** Returns the names of the purposes of a movement; a code if it has no name. */
export function purposesOf(
  { categoryPurpose, purpose }: Movement,
  { language, purpose: label, colon }: PrintedTexts,
): string[] {
  return givenTexts([categoryPurpose, purpose]).map(
    (code) => `${label}${colon}${purposeNames[language].get(code) ?? code}`,
  );
}
