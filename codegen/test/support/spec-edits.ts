import { major } from './breaking-edits.js';
import { minor, none, patch } from './harmless-edits.js';
import type { SpecEdit } from './spec-draft.js';

export const specEdits: readonly SpecEdit[] = [
  ...major.map((edit) => ({ ...edit, weight: 'major' as const })),
  ...minor.map((edit) => ({ ...edit, weight: 'minor' as const })),
  ...patch.map((edit) => ({ ...edit, weight: 'patch' as const })),
  ...none.map((edit) => ({ ...edit, weight: 'none' as const, text: '' })),
];
