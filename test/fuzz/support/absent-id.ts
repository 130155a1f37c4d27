import { randomBytes } from 'node:crypto';

/** An identifier that nothing has: its first four bytes are a time far ahead. */
export const absentId = () => `ffff${randomBytes(10).toString('hex')}`;
