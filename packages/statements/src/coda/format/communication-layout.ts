/** The type of a field of a structured communication. */
export type FieldKind =
  /** Characters, without trailing blanks. */
  | 'text'
  /** Digits with implied decimals. */
  | 'decimal'
  /** Thousandths, then the sign: 0 credit, 1 debit. */
  | 'signed'
  /** DDMMYY. */
  | 'date'
  /** HHMM. */
  | 'time';

/** One field: its name, its type, its length in positions. */
export type Field = readonly [name: string, kind: FieldKind, length: number];

/** The fields of each communication type, in order. */
export type Layouts = Readonly<Record<string, readonly Field[]>>;

/** The value of a field of each type; undefined if it is blank, or a date of zeros. */
interface FieldValues {
  text: string;
  decimal: bigint | undefined;
  signed: bigint | undefined;
  date: string | undefined;
  time: string | undefined;
}

/** A communication decoded by one of the layouts; `type` is the discriminator. */
export type Decoded<L extends Layouts> = {
  readonly [Type in keyof L & string]: {
    readonly kind: 'structured';
    readonly type: Type;
    /** The text after the last field of the layout. */
    readonly remainder?: string;
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
