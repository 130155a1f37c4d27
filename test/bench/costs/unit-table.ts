export const units = {
  idle: 'a second without work',
  single: 'statement, a file of its own',
  statement: 'statement, in a file of 50',
  pdf: 'PDF of a statement',
  listed: 'file in a list, with its PDF',
  acknowledged: 'file acknowledged, 100 at once',
  filePoll: 'poll of files without news',
  mandatePoll: 'poll of mandates without news',
  signIn: 'sign-in',
  refresh: 'new ID token',
  credentials: 'upload credentials',
  mandate: 'customer with a mandate that is signed',
} as const;

/** The work that is repeated for all firms, of which one worker does so much in a second. */
export const works = {
  sealed: 'audit entries sealed',
  removed: 'objects removed',
  erased: 'old statements erased',
  found: 'uploads found',
} as const;

export const resources = [
  'service CPU ms',
  'worker CPU ms',
  'database CPU ms',
  'rows written',
  'audit entries',
  'WAL KiB',
  'database KiB',
  'storage KiB',
  'storage requests',
] as const;

export type Resource = (typeof resources)[number];

/** Returns true if the service has no part in a unit: what it uses at the same time is chance. */
export function hasNoPart(unit: string, resource: Resource): boolean {
  const ofWorkers: readonly string[] = [units.single, units.statement, units.pdf];
  return resource === 'service CPU ms' && ofWorkers.includes(unit);
}
