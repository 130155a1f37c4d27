import fc from 'fast-check';
import { isShortPart } from './rounds.js';

// Loaded for every test file. The short part makes the same random cases in each run.
if (isShortPart) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_129 });
