import type { Movement, Statement, StatementDraft } from '../../src/index.js';

/** Returns the part of a statement that its draft contained: without numbers, levels and totals. */
export function writtenPart(statement: Statement): StatementDraft {
  const { header, account, statementNumber, paperNumber, oldBalance, newBalance } = statement;
  return {
    header,
    account,
    statementNumber,
    paperNumber,
    oldBalance,
    newBalance:
      newBalance === undefined
        ? undefined
        : { date: newBalance.date, paperNumber: newBalance.paperNumber },
    movements: statement.movements.map(writtenMovement),
    freeCommunications: statement.freeCommunications.map(({ lines }) => ({ lines })),
  };
}

function writtenMovement(movement: Movement): NonNullable<StatementDraft['movements']>[number] {
  const { sequence, detail, globalisation, informationTexts, ...written } = movement;
  return {
    ...written,
    information: movement.information.map(({ bankReference, transactionCode, communication }) => ({
      bankReference,
      transactionCode,
      communication,
    })),
    details: movement.details.map(writtenMovement),
  };
}
