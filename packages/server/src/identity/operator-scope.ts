/*
 * No call may see as the operator does: `test/house/imports.test.ts` names who may import this
 * file.
 */

const operator = Symbol('operator');

/** The sight of the operator: the customers of all firms, in any state, or those of one firm. */
export interface OperatorScope {
  readonly [operator]: true;
  /** Undefined for all firms. */
  readonly firmId: string | undefined;
}

export function operatorScope(firmId?: string): OperatorScope {
  return { [operator]: true, firmId };
}

export function isOperator(scope: object): scope is OperatorScope {
  return operator in scope;
}
