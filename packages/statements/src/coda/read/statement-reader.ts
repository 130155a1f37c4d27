import type { Encoding } from '../../code-pages.js';
import { withJson } from '../../json-value.js';
import type { FindingList } from '../finding-list.js';
import type { Header, NewBalance, Statement, Trailer } from '../statement.js';
import { MovementTree } from './movement-tree.js';
import type { CodaRecord } from './records/coda-record.js';
import { type OldBalanceRecord, readNewBalance, readOldBalance } from './records/read-balances.js';
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
import { mayFollow, type RecordType, recordTypeOf } from './records/record-order.js';
import { StatementTotals } from './statement-totals.js';

const LENGTH = 128;

/**
 * Reads the records of one statement in turn. Once a record is missing or misplaced, fields are
 * still checked, but rules that depend on the order of records are not.
 */
export class StatementReader {
  readonly #findings: FindingList;
  readonly #followed: boolean;
  readonly #numbering = new Numbering();
  readonly #tree: MovementTree;
  readonly #totals = new StatementTotals();
  readonly #free = new FreeCommunications();
  #orderHolds = true;
  #previous: RecordType | undefined;
  #group: RecordGroup | undefined;
  /** The last record 8 or 4. */
  #linked: CodaRecord | undefined;
  #header: Header | undefined;
  #old: OldBalanceRecord | undefined;
  #new: { readonly balance: NewBalance; readonly record: CodaRecord } | undefined;
  #trailer: { readonly trailer: Trailer; readonly record: CodaRecord } | undefined;

  /** @param followed true if another statement follows in the file */
  constructor(followed: boolean, findings: FindingList) {
    this.#followed = followed;
    this.#findings = findings;
    this.#tree = new MovementTree(findings);
  }

  /**
   * Takes the next record.
   *
   * @returns false if reading should stop, because this is another version of CODA
   */
  take(record: CodaRecord): boolean {
    if (record.length !== LENGTH && !isCutTrailer(record)) {
      this.#orderHolds = false;
      const position = Math.min(record.length, LENGTH) + 1;
      this.#findings.add('lineLength', record.number, position, `${record.length}`);
      return true;
    }
    const type = recordTypeOf(record);
    if (type === undefined) {
      this.#orderHolds = false;
      this.#findings.add('recordType', record.number, 1, record.text(1, 2));
      return true;
    }
    if (this.#orderHolds && !mayFollow(this.#previous, type)) {
      this.#orderHolds = false;
      this.#findings.add('recordOrder', record.number, 1, type);
    }
    this.#read(type, record);
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
    if (this.#orderHolds && this.#trailer === undefined) {
      this.#findings.add('trailerMissing', lastLine);
    }
    if (
      this.#findings.refused ||
      this.#header === undefined ||
      this.#old === undefined ||
      this.#trailer === undefined
    ) {
      return undefined;
    }
    const { account, balance: oldBalance, paperNumber, statementNumber } = this.#old;
    const { trailer, record } = this.#trailer;
    const newBalance = this.#new?.balance;
    if (this.#new !== undefined && this.#header.separateApplication === '00000') {
      this.#totals.checkBalance(oldBalance, this.#new.balance, this.#new.record, this.#findings);
    }
    this.#totals.checkTrailer(trailer, record, this.#findings);
    if (this.#findings.refused) return undefined;
    return withJson({
      header: this.#header,
      account,
      year: Number((newBalance?.date ?? this.#header.creationDate).slice(0, 4)),
      statementNumber,
      paperNumber,
      oldBalance,
      newBalance,
      movements: this.#tree.movements,
      freeCommunications: this.#free.messages,
      trailer,
      encoding,
    });
  }

  #read(type: RecordType, record: CodaRecord): void {
    const findings = this.#findings;
    if (type === '22' || type === '23' || type === '32' || type === '33') {
      this.#totals.recordCount += 1;
      if (this.#group !== undefined) continueGroup(this.#group, type, record, findings);
      return;
    }
    this.#closeGroup(type);
    this.#checkLink(type);
    switch (type) {
      case '0':
        this.#header = readHeader(record, findings);
        break;
      case '1':
        this.#totals.recordCount += 1;
        this.#old = readOldBalance(record, this.#isSeparateApplication(), findings);
        break;
      case '21':
      case '31':
        this.#totals.recordCount += 1;
        this.#group = {
          kind: type === '21' ? 'movement' : 'information',
          first: record,
          second: undefined,
          third: undefined,
        };
        break;
      case '8':
        this.#totals.recordCount += 1;
        this.#tree.close();
        this.#new = { balance: readNewBalance(record, this.#old?.account, findings), record };
        this.#linked = record;
        break;
      case '4':
        this.#free.take(record, findings);
        this.#linked = record;
        break;
      case '9':
        this.#tree.close();
        if (this.#orderHolds && this.#new === undefined) this.#missNewBalance(record);
        this.#trailer = { trailer: readTrailer(record, this.#followed, findings), record };
    }
  }

  #closeGroup(next: RecordType): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    const findings = this.#findings;
    if (this.#orderHolds) checkGroupCodes(group, next === '31', findings);
    const isMovement = group.kind === 'movement';
    const key = this.#numbering.take(group.first, isMovement, this.#orderHolds, findings);
    if (!isMovement) {
      this.#tree.addInformation(readInformation(group, key, findings), group.first);
      return;
    }
    const movement = readMovement(group, key, findings);
    if (key.startsMovement) {
      this.#tree.startMovement(movement, group.first);
      this.#totals.add(movement.amount);
    } else {
      this.#tree.addDetail(movement, group.first);
    }
  }

  #checkLink(next: RecordType): void {
    if (this.#linked !== undefined && this.#orderHolds) {
      checkLinkCode(this.#linked, next === '4', this.#findings);
    }
    this.#linked = undefined;
  }

  #missNewBalance(record: CodaRecord): void {
    const code = this.#tree.movements.length > 0 ? 'newBalanceMissing' : 'newBalanceAbsent';
    this.#findings.add(code, record.number, 1);
  }

  #isSeparateApplication(): boolean {
    return this.#header !== undefined && this.#header.separateApplication !== '00000';
  }
}
