/*
 * No call of the interface may see as the operator does: `test/house/imports.test.ts` names the files that
 * may import this one.
 */

const operator = Symbol('operator');

/**
 * The sight of the operator, who sees the customers of all firms, in any state, or those of one
 * firm.
 */
export interface OperatorScope {
  readonly [operator]: true;
  /** Undefined for all firms. */
  readonly firmId: string | undefined;
}

/** Creates the scope of an operator command or a worker. */
export function operatorScope(firmId?: string): OperatorScope {
  return { [operator]: true, firmId };
}

/** Returns true only for what `operatorScope` made. */
export function isOperator(scope: object): scope is OperatorScope {
  return operator in scope;
}
