import type { AccessLevel } from '../identity/user.js';
import { type DemoCustomer, readCustomerTable } from './customer-table.js';
import { customersOfFiduciaireLambot, customersOfKantoorMaes } from './demo-customers.js';

export interface DemoUser {
  readonly username: string;
  readonly accessLevel: AccessLevel;
  readonly seesCustomers: 'all' | 'assigned';
}

export interface DemoFirm {
  readonly name: string;
  readonly codbUpload: boolean;
  readonly users: readonly DemoUser[];
  readonly customers: readonly DemoCustomer[];
}

/** The user whose login is printed at the start; the presence of this user marks a demo database. */
export const demoAdministrator = 'els.maes@kantoor-maes.example';

/** Two firms: one with a user of every access level, and another whose data the first never sees. */
export const demoFirms: readonly DemoFirm[] = [
  {
    name: 'Kantoor Maes',
    codbUpload: true,
    users: [
      { username: demoAdministrator, accessLevel: 'administrator', seesCustomers: 'all' },
      {
        username: 'tom.janssens@kantoor-maes.example',
        accessLevel: 'user',
        seesCustomers: 'all',
      },
      {
        username: 'nora.peeters@kantoor-maes.example',
        accessLevel: 'user',
        seesCustomers: 'assigned',
      },
      {
        username: 'luc.wauters@kantoor-maes.example',
        accessLevel: 'portalOnly',
        seesCustomers: 'all',
      },
    ],
    customers: readCustomerTable(customersOfKantoorMaes),
  },
  {
    name: 'Fiduciaire Lambot',
    codbUpload: false,
    users: [
      {
        username: 'claire.lambot@fiduciaire-lambot.example',
        accessLevel: 'administrator',
        seesCustomers: 'all',
      },
    ],
    customers: readCustomerTable(customersOfFiduciaireLambot),
  },
];

/** Banks that the demo serves through a light connector, by BIC, with the connector's number. */
export const demoConnectors: Readonly<Record<string, number>> = { TRIOBEBB: 1, ARSPBE22: 2 };
