import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects the garbage of this process, so that what it still uses can be measured. */
export const collectGarbage: () => void = runInNewContext('gc');
