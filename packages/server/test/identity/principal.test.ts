import { expect, test } from 'vitest';
import { type Principal, visibleCustomers } from '../../src/identity/principal.js';

const ofFirm = ['c.firm_id = ?', 'c.archived_on is null'];
const isOpen = 'not c.is_confidential';
const isAssigned =
  'exists (select 1 from user_customers uc where uc.user_id = ? and uc.customer_id = c.id)';

const principal = (
  accessLevel: Principal['accessLevel'],
  seesCustomers: Principal['seesCustomers'],
): Principal => ({ userId: 'the user', firmId: 'the firm', accessLevel, seesCustomers });

test.each([
  ['administrator', 'all', [], ['the firm']],
  ['administrator', 'assigned', [isAssigned], ['the firm', 'the user']],
  ['user', 'all', [isOpen], ['the firm']],
  ['user', 'assigned', [isOpen, isAssigned], ['the firm', 'the user']],
] as const)(
  '§5 rules 3 and 5: a user with level %s who sees %s customers',
  (accessLevel, seesCustomers, further, bindings) => {
    const condition = visibleCustomers(principal(accessLevel, seesCustomers));
    expect(condition).toEqual({ sql: [...ofFirm, ...further].join(' and '), bindings });
  },
);
