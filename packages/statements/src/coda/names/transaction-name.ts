import type { TransactionCode } from '../statement.js';
import { categoryNames } from './category-names.js';
import type { NameLanguage } from './code-table.js';
import { commonOperationNames, operationNames } from './operation-names.js';

/**
 * Names a transaction: its operation, and its category if it has one. A code without a name is
 * returned as it is. Empty for a code of zeros, with which a bank says nothing (D-46).
 *
 * @example transactionName({ type: 8, family: '13', operation: '02', category: '055' }, 'en')
 * // 'Long-term loan – repayment of capital'
 */
export function transactionName(
  { family, operation, category }: TransactionCode,
  language: NameLanguage,
): string {
  const name = operationName(family, operation, language);
  const part = category === '000' ? '' : (categoryNames[language].get(category) ?? category);
  const saysMore = part.toLowerCase() !== name.toLowerCase();
  return [name, saysMore ? part : ''].filter((text) => text !== '').join(' – ');
}

function operationName(family: string, operation: string, language: NameLanguage): string {
  const names = operationNames[language];
  const own = names.get(family + operation);
  if (own !== undefined) return own;
  const familyName = names.get(family);
  if (familyName === undefined) return family + operation === '0000' ? '' : `${family}${operation}`;
  const common = commonOperationNames[language].get(operation);
  return common === undefined ? `${familyName} ${operation}` : `${familyName} – ${common}`;
}
