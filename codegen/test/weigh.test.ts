import { describe, expect, it } from 'vitest';
import { oneIn } from '../../test/support/rounds.js';
import { heaviest } from '../src/diff/compare/change.js';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import { readOpenApi } from '../src/openapi/openapi-object.js';
import { specEdits } from './support/edits/spec-edits.js';
import { SpecDraft } from './support/spec-draft.js';

const released = readOpenApi(new SpecDraft().document());

describe('D-40 weigh an edit of the interface', () => {
  it.each(oneIn(3, specEdits).map((each) => [each.weight, each.text, each] as const))(
    'D-40 %s: %s',
    (weight, text, { edit }) => {
      const draft = new SpecDraft();
      edit(draft);
      const changes = compareSpecs(released, readOpenApi(draft.document()));
      expect(changes.map((change) => `${change.weight} ${change.text}`)).toEqual(
        weight === 'none' ? [] : expect.arrayContaining([`${weight} ${text}`]),
      );
      expect(heaviest(changes) ?? 'none').toBe(weight);
    },
  );
});
