/** What a field of a structured communication holds. */
export type FieldKind =
  /** Characters, blanks at the end removed. */
  | 'text'
  /** Digits with implied decimals. */
  | 'decimal'
  /** A decimal of thousandths and one position of sign: 0 credit, 1 debit. */
  | 'signed'
  /** DDMMYY. */
  | 'date'
  /** HHMM. */
  | 'time';

/** One field: its name, what it holds, its length in positions. */
export type Field = readonly [name: string, kind: FieldKind, length: number];

/** The fields of each type of communication, in the order they stand in. */
export type Layouts = Readonly<Record<string, readonly Field[]>>;

/** What a field of a kind is read as; undefined where it is blank or zero. */
interface FieldValues {
  text: string;
  decimal: bigint | undefined;
  signed: bigint | undefined;
  date: string | undefined;
  time: string | undefined;
}

/** A communication decoded by one of the layouts, told apart by its type. */
export type Decoded<L extends Layouts> = {
  readonly [Type in keyof L & string]: {
    readonly kind: 'structured';
    readonly type: Type;
    /** What stands behind the last field of the layout. */
    readonly remainder?: string;
  } & { readonly [F in L[Type][number] as F[0]]: FieldValues[F[1]] };
}[keyof L & string];

/** Free text, its parts joined. */
export interface FreeText {
  readonly kind: 'free';
  readonly text: string;
}

/** A structured communication of a type the standard does not have. */
export interface UnknownStructure {
  readonly kind: 'unknown';
  /** Three characters. */
  readonly type: string;
  readonly text: string;
}
