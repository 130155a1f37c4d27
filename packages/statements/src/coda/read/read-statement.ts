import { toJsonValue } from '../../json-value.js';
import type { Statement } from '../statement.js';

/** A statement that can be written as JSON. */
export class ReadStatement implements Statement {
  readonly header: Statement['header'];
  readonly account: Statement['account'];
  readonly year: number;
  readonly statementNumber: number;
  readonly paperNumber: number;
  readonly oldBalance: Statement['oldBalance'];
  readonly newBalance: Statement['newBalance'];
  readonly movements: Statement['movements'];
  readonly freeCommunications: Statement['freeCommunications'];
  readonly trailer: Statement['trailer'];
  readonly encoding: Statement['encoding'];

  constructor(statement: Statement) {
    this.header = statement.header;
    this.account = statement.account;
    this.year = statement.year;
    this.statementNumber = statement.statementNumber;
    this.paperNumber = statement.paperNumber;
    this.oldBalance = statement.oldBalance;
    this.newBalance = statement.newBalance;
    this.movements = statement.movements;
    this.freeCommunications = statement.freeCommunications;
    this.trailer = statement.trailer;
    this.encoding = statement.encoding;
  }

  /** Amounts are texts, such as `-12.500`. */
  toJSON(): unknown {
    return toJsonValue<Statement>(this);
  }
}
