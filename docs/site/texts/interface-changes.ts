import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrom } from '../../../codegen/src/diff/releases.js';
import { changelogOf } from '../../../codegen/src/diff/report.js';
import { weigh } from '../../../codegen/src/diff/weigh.js';
import { type Dates, noDates, shownDay } from '../dates.js';

/**
 * Returns the changes of the interface in Markdown, the newest first: what they mean for a partner,
 * in the words of `docs/pages/changes`, and then, folded, all that the gate finds between each
 * released spec and the one before it, and between the newest one and the current spec (D-40),
 * without what only the generator of the client reads.
 *
 * @param root the repository
 * @param versions the released versions, the newest last
 */
export async function interfaceChanges(
  root: string,
  versions: readonly string[],
  dates: Dates = noDates,
): Promise<string> {
  const specOf = (version: string) => join('releases', version, 'openapi.yaml');
  const next = { name: `After ${versions.at(-1)}`, path: 'openapi.yaml' };
  const all = [...versions.map((version) => ({ name: version, path: specOf(version) })), next];
  const parts = await Promise.all(
    all.map(async ({ name, path }, index) => {
      const before = all[index - 1];
      const reference = index === all.length - 1 ? '' : `${name}/`;
      const day = dates.added.get(path);
      const published = day === undefined ? '' : `${shownDay(day)}. `;
      const title = `## ${name}\n\n${published}[Reference](/reference/${reference}index.html)\n`;
      if (before === undefined) return `${title}\nThe first version.`;
      const weighing = await weigh(
        readFrom(join(root, before.path), root),
        readFrom(join(root, path), root),
      );
      const changes = weighing.changes.filter(({ isOfClient }) => isOfClient !== true);
      const lines = changelogOf({ ...weighing, changes });
      if (lines.length === 0) return `${title}\nNothing has changed.`;
      const list = lines.join('\n');
      const prose = await wordsOn(root, before.name);
      if (prose === undefined) return `${title}\n${list}`;
      return `${title}\n${prose}\n<details>\n<summary>Every change</summary>\n\n${list}\n\n</details>`;
    }),
  );
  return parts.toReversed().join('\n\n');
}

/** Returns what the changes after a version mean, if somebody has written it. */
async function wordsOn(root: string, version: string): Promise<string | undefined> {
  const file = join(root, 'docs/pages/changes', `after-${version}.md`);
  return existsSync(file) ? readFile(file, 'utf8') : undefined;
}
