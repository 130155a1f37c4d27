import type { SpecEdit } from '../spec-draft.js';
import { fieldEdits } from './field-edits.js';
import { messageEdits } from './message-edits.js';
import { operationEdits } from './operation-edits.js';
import { proseEdits } from './prose-edits.js';
import { sameMeaningEdits } from './same-meaning-edits.js';
import { valueEdits } from './value-edits.js';

/** Edits of the interface with known weights. */
export const specEdits: readonly SpecEdit[] = [
  ...operationEdits,
  ...messageEdits,
  ...fieldEdits,
  ...valueEdits,
  ...proseEdits,
  ...sameMeaningEdits,
];
