import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareSpecs } from '../src/diff/compare/compare-specs.js';
import type { Path } from '../src/document/json.js';
import { readOpenApi } from '../src/openapi/openapi-object.js';
import { specEdits } from './support/edits/spec-edits.js';
import { SpecDraft } from './support/spec-draft.js';
import { repository } from './support/temporary-repository.js';

const folder = mkdtempSync(join(tmpdir(), 'adx-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Weighs an edit by Redocly's recommended rules. */
function weighByRedocly(draft: SpecDraft): string {
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [diff-recommended]\n');
  writeFileSync(join(folder, 'old.json'), JSON.stringify(new SpecDraft().value));
  writeFileSync(join(folder, 'new.json'), JSON.stringify(draft.value));
  const program = join(repository, 'node_modules/@redocly/cli/bin/cli.js');
  const parameters = ['diff', 'old.json', 'new.json', '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, [program, ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  });
  return JSON.parse(stdout).bump ?? 'none';
}

/** Edits that Redocly takes for a break, and D-40 does not. */
const notBreaking = [
  '`ErrorCode` gains the value `customerLocked`.',
  'Response `404` is removed.',
  'a reference is written as allOf',
  'a parameter moves to the path item',
  'defaults of OpenAPI are written',
];

describe('D-40 prove that nothing passes', () => {
  it('D-40 what Redocly takes for a break is one, with named exceptions', () => {
    const others = specEdits.filter(({ weight, edit }) => {
      const draft = new SpecDraft();
      edit(draft);
      return weight !== 'major' && weighByRedocly(draft) === 'major';
    });
    expect(others.map(({ text }) => text)).toEqual(notBreaking);
  });

  it('D-40 every single field that is removed or renamed is major', () => {
    const released = readOpenApi(new SpecDraft().document());
    const fields = [...fieldsBelow(new SpecDraft(), ['components', 'schemas'])];
    expect(fields.length).toBeGreaterThan(150);
    for (const path of fields) {
      const [removed, renamed] = [new SpecDraft(), new SpecDraft()];
      removed.remove(...path);
      renamed.rename(path, 'somethingElse');
      for (const draft of [removed, renamed]) {
        const changes = compareSpecs(released, readOpenApi(draft.document()));
        expect(changes[0]?.weight, path.join('/')).toBe('major');
      }
    }
  });
});

/** Returns the paths of all properties at or below a place. */
function* fieldsBelow(draft: SpecDraft, path: Path): Generator<Path> {
  const holder = draft.get(...path);
  if (typeof holder !== 'object' || holder === null) return;
  for (const key of Object.keys(holder)) {
    if (path.at(-1) === 'properties') yield [...path, key];
    if (key !== 'examples') yield* fieldsBelow(draft, [...path, key]);
  }
}
