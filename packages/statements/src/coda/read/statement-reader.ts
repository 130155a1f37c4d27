import type { Encoding } from '../../code-pages.js';
import type { FindingList } from '../finding-list.js';
import type { Account, Header, NewBalance, Statement, Trailer } from '../statement.js';
import { MovementTree } from './movement-tree.js';
import { ReadStatement } from './read-statement.js';
import type { CodaRecord } from './records/coda-record.js';
import { type OldBalanceRecord, readNewBalance, readOldBalance } from './records/read-balances.js';
import { isAmount } from './records/read-field.js';
import { FreeCommunications } from './records/read-free-communication.js';
import { readHeader } from './records/read-header.js';
import { readInformation, readMovement } from './records/read-movement.js';
import { isCutTrailer, readTrailer } from './records/read-trailer.js';
import {
  checkGroupCodes,
  checkLinkCode,
  continueGroup,
  Numbering,
  type RecordGroup,
} from './records/record-group.js';
import {
  isCounted,
  isRecognisable,
  mayFollow,
  type RecordType,
  recordTypeOf,
  successorsOf,
} from './records/record-order.js';
import { type Read, StatementTotals } from './statement-totals.js';

const LENGTH = 128;

/**
 * Reads the records of one statement in turn, and all of them: where a record is unreadable or out
 * of order, only the rules that need it are not checked, so that no finding is a mere consequence
 * of another.
 */
export class StatementReader {
  readonly #findings: FindingList;
  readonly #followed: boolean;
  readonly #numbering = new Numbering();
  readonly #tree: MovementTree;
  readonly #totals = new StatementTotals();
  readonly #free = new FreeCommunications();
  /** The type of the previous record, or `lost` if it was unreadable: then any may follow. */
  #previous: RecordType | 'lost' | undefined;
  /** The types of the unreadable records. */
  readonly #lost: (RecordType | undefined)[] = [];
  /** The numbers of the next record 2.1 or 3.1 follow from those before it. */
  #numbersFollow = true;
  #group: RecordGroup | undefined;
  /** The sequence number of the last record 2.1, and if it is wrong. */
  #movement: { readonly sequence: number; readonly isWrong: boolean } | undefined;
  /** The last record 8 or 4. */
  #linked: CodaRecord | undefined;
  #header: Header | undefined;
  #old: Read<OldBalanceRecord> | undefined;
  #new: Read<NewBalance> | undefined;
  #balanceRepeated = false;
  #hasBlankLine = false;
  #hasTrailingBlanks = false;
  #trailer: Read<Trailer> | undefined;

  /** @param followed true if another statement follows in the file */
  constructor(followed: boolean, findings: FindingList) {
    this.#followed = followed;
    this.#findings = findings;
    this.#tree = new MovementTree(findings);
  }

  /**
   * Takes the next line.
   *
   * @returns false if reading should stop, because this is another version of CODA
   */
  take(line: CodaRecord): boolean {
    const record = this.#withoutTrailingBlanks(line);
    const type = recordTypeOf(record);
    if (record.length !== LENGTH && !isCutTrailer(record)) {
      if (record.notBlank(1, record.length) === 0) {
        if (!this.#hasBlankLine) this.#findings.add('blankLine', record.number);
        this.#hasBlankLine = true;
        return true;
      }
      const position = Math.min(record.length, LENGTH) + 1;
      this.#findings.add('lineLength', record.number, position, `${record.length}`, `${LENGTH}`);
      this.#lose(type, record);
      return true;
    }
    if (type === undefined) {
      this.#findings.add('recordType', record.number, 1, record.text(1, 2));
      this.#lose(undefined, record);
      return true;
    }
    const previous = this.#previous;
    const inOrder = previous === 'lost' || mayFollow(previous, type);
    if (!inOrder) {
      const expected = successorsOf(previous).join(', ');
      this.#findings.add('recordOrder', record.number, 1, type, expected);
      this.#totals.doubt(1);
      this.#numbersFollow = false;
      if (type === '0') {
        this.#lose(undefined, record);
        return true;
      }
    }
    this.#read(type, record, inOrder && previous !== 'lost');
    this.#previous = type;
    return type !== '0' || this.#header !== undefined;
  }

  /**
   * Ends the statement and checks its balance and totals.
   *
   * @param lastLine the number of its last line
   * @returns undefined if one of the findings is an error
   */
  finish(encoding: Encoding, lastLine: number): Statement | undefined {
    const header = this.#header;
    const old = this.#old;
    const trailer = this.#trailer;
    if (trailer === undefined && this.#previous !== 'lost') {
      this.#findings.add('trailerMissing', lastLine);
    }
    if (old !== undefined && this.#new !== undefined && header?.separateApplication === '00000') {
      const oldBalance = { value: old.value.balance, record: old.record };
      if (!this.#balanceRepeated) {
        this.#totals.checkBalance(oldBalance, this.#new, trailer, this.#findings);
      }
    }
    if (trailer !== undefined) this.#totals.checkTrailer(trailer, this.#findings);
    if (this.#findings.refused || !header || !old || !trailer) return undefined;
    const { account, balance: oldBalance, paperNumber, statementNumber } = old.value;
    const newBalance = this.#new?.value;
    return new ReadStatement({
      header,
      account,
      year: Number((newBalance?.date ?? header.creationDate).slice(0, 4)),
      statementNumber,
      paperNumber,
      oldBalance,
      newBalance,
      movements: this.#tree.movements,
      freeCommunications: this.#free.messages,
      trailer: trailer.value,
      encoding,
    });
  }

  #withoutTrailingBlanks(line: CodaRecord): CodaRecord {
    if (line.length <= LENGTH || line.notBlank(LENGTH + 1, line.length) !== 0) return line;
    if (!this.#hasTrailingBlanks) this.#findings.add('trailingBlanks', line.number, LENGTH + 1);
    this.#hasTrailingBlanks = true;
    return line.part(1, LENGTH);
  }

  /** @param follows the previous record was readable, and this one is allowed after it */
  #read(type: RecordType, record: CodaRecord, follows: boolean): void {
    const findings = this.#findings;
    if (isCounted(type)) this.#totals.recordCount += 1;
    const continues = type === '22' || type === '23' || type === '32' || type === '33';
    if ((continues || type === '31') && !this.#isOfMovement(record)) this.#totals.addOrphan();
    if (continues) {
      if (this.#group !== undefined) continueGroup(this.#group, type, record, findings);
      return;
    }
    this.#closeGroup(follows ? type : undefined);
    if (follows && this.#linked !== undefined) {
      checkLinkCode(this.#linked, type === '4', findings);
    }
    this.#linked = undefined;
    switch (type) {
      case '0':
        this.#header = readHeader(record, findings);
        break;
      case '1':
        this.#balanceRepeated ||= this.#old !== undefined;
        this.#old = {
          value: readOldBalance(record, this.#header?.separateApplication !== '00000', findings),
          record,
        };
        break;
      case '21':
      case '31':
        this.#startGroup(type === '21', record);
        break;
      case '8':
        this.#tree.close();
        this.#balanceRepeated ||= this.#new !== undefined;
        this.#new = {
          value: readNewBalance(record, this.#accountToCompare(record), findings),
          record,
        };
        this.#linked = record;
        break;
      case '4':
        this.#free.take(record, findings);
        this.#linked = record;
        break;
      case '9':
        this.#tree.close();
        if (this.#new === undefined) this.#missNewBalance(record);
        this.#trailer = { value: readTrailer(record, this.#followed, findings), record };
    }
  }

  /** The account of record 1, unless it is written in the same way in record 8. */
  #accountToCompare(record: CodaRecord): Account | undefined {
    const old = this.#old;
    if (old === undefined || record.padded(5, 41) === old.record.padded(6, 42)) return undefined;
    return old.value.account;
  }

  /** Skips an unreadable record, and notes the rules that cannot be checked without it. */
  #lose(type: RecordType | undefined, record: CodaRecord): void {
    this.#closeGroup(undefined);
    this.#linked = undefined;
    this.#tree.abandon();
    this.#numbersFollow = false;
    this.#previous = 'lost';
    if (type === undefined || !isRecognisable(type, record)) {
      this.#lost.push(undefined);
      this.#totals.doubt(Math.ceil(record.length / LENGTH));
      this.#totals.loseAmount();
      return;
    }
    this.#lost.push(type);
    if (isCounted(type)) this.#totals.recordCount += 1;
    if (type !== '21') return;
    this.#movement = { sequence: record.digits(3, 6), isWrong: false };
    if (record.digits(7, 10) === 0) this.#totals.loseAmount();
  }

  #startGroup(isMovement: boolean, first: CodaRecord): void {
    const key = this.#numbering.take(first, isMovement, this.#numbersFollow, this.#findings);
    this.#numbersFollow = true;
    this.#group = { isMovement, first, key, second: undefined, third: undefined };
    if (isMovement) this.#movement = key;
  }

  /** True if a record has the sequence number of the last record 2.1, or that one is wrong. */
  #isOfMovement(record: CodaRecord): boolean {
    const movement = this.#movement;
    return (
      movement !== undefined && (movement.isWrong || record.digits(3, 6) === movement.sequence)
    );
  }

  /** @param next the type of the record that follows, if that is certain */
  #closeGroup(next: RecordType | undefined): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    const findings = this.#findings;
    if (next !== undefined) checkGroupCodes(group, next === '31', findings);
    const { key } = group;
    if (!group.isMovement) {
      this.#tree.addInformation(readInformation(group, findings), group.first);
      return;
    }
    const yearOfFile = Number(this.#header?.creationDate.slice(0, 4)) || undefined;
    const movement = readMovement(group, findings, yearOfFile);
    if (key.startsMovement) this.#tree.startMovement(movement, group.first);
    else this.#tree.addDetail(movement, group.first);
    const isDoubtful = key.isWrong && key.startsMovement !== movement.transactionCode.type <= 3;
    const isLost = key.startsMovement && findings.refused && !isAmount(group.first, 32);
    if (isDoubtful || isLost) this.#totals.loseAmount();
    else if (key.startsMovement) this.#totals.add(movement.amount);
  }

  #missNewBalance(record: CodaRecord): void {
    if (this.#lost.includes('8') || this.#lost.includes(undefined)) return;
    const isMissing = this.#tree.movements.length > 0;
    if (isMissing) this.#totals.doubt(1);
    this.#findings.add(isMissing ? 'newBalanceMissing' : 'newBalanceAbsent', record.number, 1);
  }
}
