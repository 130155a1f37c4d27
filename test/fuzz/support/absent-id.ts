import { randomBytes } from 'node:crypto';

/** An unknown identifier: its first four bytes are a time in the far future. */
export const absentId = () => `ffff${randomBytes(10).toString('hex')}`;
