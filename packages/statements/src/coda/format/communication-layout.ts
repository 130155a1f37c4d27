/** The type of a field of a structured communication. */
export type FieldKind =
  /** Characters, without trailing blanks. */
  | 'text'
  /** Digits with implied decimals. */
  | 'decimal'
  /** Thousandths, then the sign: 0 credit, 1 debit. */
  | 'signed'
  /** DDMMYY, at the latest in the year after that of the movement or, without one, the file. */
  | 'date'
  /** DDMMYY, possibly far in the future, or 999999. */
  | 'term'
  /** DDMMYYYY. */
  | 'day'
  /** HHMM. */
  | 'time';

/** The years after that of the movement in which a field of each type can be. */
const ahead = { date: 1, term: 50 } as const;

/**
 * Returns the last year that the two digits of a year can mean.
 *
 * @param year that of the movement or, if it has no date, of the file; undefined if unknown
 */
export function lastYearOf(kind: 'date' | 'term', year: number | undefined): number | undefined {
  return year === undefined ? undefined : year + ahead[kind];
}

/** The start and the end of a term, which decide each other's century. */
export const terms = [
  ['startDate', 'maturityDate'],
  ['startDate', 'endDate'],
] as const;

/**
 * Decides the centuries of the start and the end of a term, `YYYY-MM-DD`: it does not end before it
 * starts, nor a hundred years later.
 *
 * @example datesOfTerm('2026-01-01', '1980-01-01') // ['2026-01-01', '2080-01-01']
 * @example datesOfTerm('1928-01-01', '2030-01-01') // ['2028-01-01', '2030-01-01']
 */
export function datesOfTerm(start: string, end: string): readonly [start: string, end: string] {
  if (end < start) return [start, end.replace(/^19/, '20')];
  const years = Number(end.slice(0, 4)) - Number(start.slice(0, 4));
  return years < 100 || end === noFixedTerm ? [start, end] : [start.replace(/^19/, '20'), end];
}

/** The value of a `term` that has no end (999999). */
export const noFixedTerm = 'noFixedTerm';

/** One field: its name, its type, its length in positions. */
export type Field = readonly [name: string, kind: FieldKind, length: number];

/** The fields of each communication type, in order. */
export type Layouts = Readonly<Record<string, readonly Field[]>>;

/** The value of a field of each type; undefined if it is blank or unread, or a date of zeros. */
interface FieldValues {
  text: string;
  decimal: bigint | undefined;
  signed: bigint | undefined;
  /** `YYYY-MM-DD` */
  date: string | undefined;
  /** `YYYY-MM-DD`, or `noFixedTerm`. */
  term: string | undefined;
  /** `YYYY-MM-DD` */
  day: string | undefined;
  /** `HH:MM` */
  time: string | undefined;
}

/** A communication decoded by one of the layouts; `type` is the discriminator. */
export type Decoded<L extends Layouts> = {
  readonly [Type in keyof L & string]: {
    readonly kind: 'structured';
    readonly type: Type;
    /** The text after the last field of the layout. */
    readonly remainder?: string;
    /** The texts of the fields that cannot be read, by the name of the field. */
    readonly unread?: Readonly<Record<string, string>>;
  } & { readonly [F in L[Type][number] as F[0]]: FieldValues[F[1]] };
}[keyof L & string];

/** Free text, joined from the records it is spread over. */
export interface FreeText {
  readonly kind: 'free';
  readonly text: string;
}

/** A structured communication of a type that is not in the standard. */
export interface UnknownStructure {
  readonly kind: 'unknown';
  /** Three characters. */
  readonly type: string;
  readonly text: string;
}
