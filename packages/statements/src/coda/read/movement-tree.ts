import type { FindingList } from '../finding-list.js';
import type { Information, Movement, TransactionCode } from '../statement.js';
import { joinInformation } from './join-information.js';
import type { CodaRecord } from './records/coda-record.js';
import type { OpenMovement } from './records/read-movement.js';
import { addDifference } from './statement-totals.js';

interface Node {
  readonly movement: OpenMovement;
  readonly record: CodaRecord;
  readonly details: Node[];
}

interface Attached {
  readonly information: Information;
  readonly record: CodaRecord;
  readonly node: Node;
}

/** From this number on, the free texts of a movement look like one wrapped text. */
const WRAPPED = 5;
/** The type of a detail that is itself a total, of the details of type 9 that follow. */
const SUBTOTAL = 7;
const DETAIL_OF_SUBTOTAL = 9;

/** Attaches details to their totals and information to its movement, and checks both. */
export class MovementTree {
  readonly movements: Movement[] = [];
  readonly #findings: FindingList;
  #main: Node | undefined;
  #subtotal: Node | undefined;
  #last: Node | undefined;
  #firstDetail: Node | undefined;
  #attached: Attached[] = [];

  constructor(findings: FindingList) {
    this.#findings = findings;
  }

  /** Adds a movement, whose detail number is 0000. */
  startMovement(movement: OpenMovement, record: CodaRecord): void {
    this.close();
    this.#main = { movement, record, details: [] };
    this.#last = this.#main;
    this.movements.push(movement);
  }

  /** Adds a detail to the last movement. */
  addDetail(movement: OpenMovement, record: CodaRecord): void {
    const main = this.#main;
    if (main === undefined || movement.sequence !== main.movement.sequence) return;
    const node: Node = { movement, record, details: [] };
    const { type } = movement.transactionCode;
    const total = type === DETAIL_OF_SUBTOTAL ? (this.#subtotal ?? main) : main;
    total.details.push(node);
    total.movement.details.push(movement);
    if (type === SUBTOTAL) this.#subtotal = node;
    this.#firstDetail ??= node;
    this.#last = node;
  }

  /** Adds information to the previous movement or detail, or to the total that it names. */
  addInformation(information: Information, record: CodaRecord): void {
    if (this.#last === undefined || information.sequence !== this.#last.movement.sequence) return;
    const node = this.#totalOf(information, this.#last);
    node.movement.information.push(information);
    this.#attached.push({ information, record, node });
  }

  /**
   * Finds the total whose information a bank writes behind its details: that has the reference of
   * the total, which may also be that of the details, and its code.
   */
  #totalOf(information: Information, last: Node): Node {
    if (isInformationOf(information, last)) return last;
    for (const total of [this.#subtotal, this.#main]) {
      if (total !== undefined && isInformationOf(information, total)) return total;
    }
    return last;
  }

  /** Completes the last movement. */
  close(): void {
    const main = this.#main;
    if (main === undefined) return;
    this.#checkTotal(main, main);
    for (const detail of main.details) this.#checkTotal(detail, main);
    if (this.#attached.length > 0) {
      this.#checkInformation();
      this.#joinTexts();
    }
    this.abandon();
  }

  /** Leaves the last movement as it is, because one of its records is unreadable. */
  abandon(): void {
    this.#main = undefined;
    this.#last = undefined;
    this.#subtotal = undefined;
    this.#firstDetail = undefined;
    this.#attached = [];
  }

  #checkTotal(node: Node, main: Node): void {
    const { movement, record, details } = node;
    const { type } = movement.transactionCode;
    const last = details.at(-1);
    if (last === undefined) {
      const isTotal = node === main ? type >= 1 && type <= 3 : type === SUBTOTAL;
      if (isTotal) this.#findings.add('totalWithoutDetails', record.number, 54);
      return;
    }
    const sum = details.reduce((total, detail) => total + detail.movement.amount, 0n);
    addDifference('detailSum', record.number, 33, sum, movement.amount, this.#findings);
    // A record that ends the outer group also ends the inner one.
    const end = (node === main ? this.#last : last)?.movement.globalisation;
    const level = movement.globalisation;
    const outer = main.movement.globalisation;
    if (level === 0 || (end !== level && end !== outer)) {
      this.#findings.add('detailWithoutLevel', record.number, 125);
    }
  }

  #joinTexts(): void {
    let last: Node | undefined;
    for (const { node } of this.#attached) {
      if (node === last) continue;
      last = node;
      const { movement } = node;
      const texts: string[] = [];
      for (const { communication } of joinInformation(movement.information)) {
        if (communication.kind === 'free') texts.push(communication.text);
      }
      movement.informationTexts = texts;
    }
  }

  #checkInformation(): void {
    const first = this.#firstDetail?.movement.bankReference;
    let counted: Node | undefined;
    let count = 0;
    for (const { information, record, node } of this.#attached) {
      const { bankReference, transactionCode, communication } = information;
      if (bankReference !== node.movement.bankReference) {
        const code =
          bankReference === first ? 'informationReferenceOfDetail' : 'informationReference';
        const expected = node.movement.bankReference;
        this.#findings.add(code, record.number, 11, bankReference, expected);
      }
      if (!isSameCode(transactionCode, node.movement.transactionCode)) {
        const [found, expected] = [record.text(32, 39), node.record.text(54, 61)];
        this.#findings.add('informationTransactionCode', record.number, 32, found, expected);
      }
      if (communication.kind !== 'free') continue;
      // Information stands directly behind its movement.
      count = node === counted ? count + 1 : 1;
      counted = node;
      if (count === WRAPPED) this.#findings.add('wrappedInformation', record.number, 41);
    }
  }
}

function isInformationOf(
  { bankReference, transactionCode }: Information,
  { movement }: Node,
): boolean {
  if (movement.bankReference !== bankReference) return false;
  return isSameCode(movement.transactionCode, transactionCode);
}

function isSameCode(one: TransactionCode, other: TransactionCode): boolean {
  return (
    one.type === other.type &&
    one.family === other.family &&
    one.operation === other.operation &&
    one.category === other.category
  );
}
