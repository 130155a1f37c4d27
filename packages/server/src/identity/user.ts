import type { PrincipalAccessLevel } from './principal.js';

/** Access levels (D-18). */
export const accessLevels = ['administrator', 'user', 'portalOnly'] as const;
export type AccessLevel = PrincipalAccessLevel | 'portalOnly';

/** Which customers a user sees: all of the firm's, or those with these ids. */
export type CustomerAccess = 'all' | readonly string[];

/** A user of a firm. */
export interface User {
  readonly id: string;
  readonly firmId: string;
  readonly username: string;
  readonly accessLevel: AccessLevel;
  readonly customers: CustomerAccess;
  readonly createdOn: Date;
  readonly updatedOn: Date;
  readonly disabledOn: Date | undefined;
}

export interface NewUser {
  readonly firmId: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly accessLevel: AccessLevel;
  readonly customers: CustomerAccess;
}

export interface UserChanges {
  readonly passwordHash?: string;
  readonly accessLevel?: AccessLevel;
  readonly customers?: CustomerAccess;
}
