import type { Weight } from '../../../src/diff/compare/change.js';
import type { SpecDraft } from '../spec-draft.js';
import { fieldEdits } from './field-edits.js';
import { messageEdits } from './message-edits.js';
import { operationEdits } from './operation-edits.js';
import { proseEdits } from './prose-edits.js';
import { sameMeaningEdits } from './same-meaning-edits.js';
import { valueEdits } from './value-edits.js';

interface SpecEdit {
  readonly weight: Weight | 'none';
  /** The text of the change, or the name of an edit that changes nothing. */
  readonly text: string;
  readonly edit: (draft: SpecDraft) => void;
}

export const specEdits: readonly SpecEdit[] = [
  ...[operationEdits, messageEdits, fieldEdits, valueEdits, proseEdits, sameMeaningEdits],
].flatMap((group) =>
  Object.entries(group).flatMap(([weight, edits]) =>
    Object.entries(edits).map(([text, edit]) => ({
      weight: weight as Weight | 'none',
      text,
      edit,
    })),
  ),
);
