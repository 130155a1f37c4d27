import { CodaWriteError, type RecordLine } from './record-line.js';
import type { MovementDraft } from './statement-draft.js';
import { writeInformation, writeMovement } from './write-movement-records.js';

/** The types of the details below each type of total. */
const detailsOf: Readonly<Record<number, readonly number[]>> = {
  1: [5],
  2: [6, 7],
  3: [8],
  7: [9],
};
/** Types that have a level even without details. */
const totals: readonly number[] = [1, 2, 7];
const LAST = 9999;

/** One detail number of a movement: the movement, a detail of it, or a piece of information. */
interface Item {
  readonly write: (key: { sequence: number; detail: number }, linked: boolean) => RecordLine[];
  readonly isInformation: boolean;
}

/**
 * Writes movements with their details and information. Sequence numbers start at 1, and 9999 is
 * followed by 0; detail numbers count the records 2.1 and 3.1 of a movement.
 *
 * @param yearOfFile that in which the file is created
 */
export function writeMovements(
  movements: readonly MovementDraft[],
  yearOfFile: number,
): RecordLine[] {
  return movements.flatMap((movement, index) => {
    const { type } = movement.transactionCode;
    if (!(type >= 0 && type <= 3)) {
      throw new CodaWriteError(`A movement has type 0 to 3; ${type} is for details`);
    }
    const items = itemsOf(movement, yearOfFile, 1, undefined);
    if (items.length > LAST + 1) {
      throw new CodaWriteError(`A movement has at most ${LAST} details and pieces of information`);
    }
    const sequence = (index + 1) % (LAST + 1);
    return items.flatMap(({ write }, detail) =>
      write({ sequence, detail }, items[detail + 1]?.isInformation ?? false),
    );
  });
}

/**
 * A movement with its details and information, in file order. A total has the level of its group,
 * and so has the last detail of the group; if that ends two groups, it has the level of the outer
 * one.
 *
 * @param closing the level that this movement ends
 */
function itemsOf(
  movement: MovementDraft,
  yearOfFile: number,
  level: number,
  closing: number | undefined,
): Item[] {
  const { information = [], details = [] } = movement;
  const allowed = detailsOf[movement.transactionCode.type] ?? [];
  const ownLevel = totals.includes(movement.transactionCode.type) ? level : 0;
  const globalisation = details.length > 0 ? level : (closing ?? ownLevel);
  const below = details.flatMap((detail, index) => {
    const { type } = detail.transactionCode;
    if (!allowed.includes(type)) {
      throw new CodaWriteError(
        `A detail of type ${type} is not allowed below type ${movement.transactionCode.type}`,
      );
    }
    const isLast = index === details.length - 1;
    return itemsOf(detail, yearOfFile, level + 1, isLast ? (closing ?? level) : undefined);
  });
  return [
    {
      write: (key, linked) => writeMovement(movement, key, globalisation, linked, yearOfFile),
      isInformation: false,
    },
    ...information.map((one) => ({
      write: (key: { sequence: number; detail: number }, linked: boolean) =>
        writeInformation(one, movement, key, linked),
      isInformation: true,
    })),
    ...below,
  ];
}
