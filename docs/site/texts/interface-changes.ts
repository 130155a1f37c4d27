import { join } from 'node:path';
import { readFrom } from '../../../codegen/src/diff/releases.js';
import { changelogOf } from '../../../codegen/src/diff/report.js';
import { weigh } from '../../../codegen/src/diff/weigh.js';

/**
 * Returns the changes of the interface in Markdown, the newest first: what the gate finds between
 * each released spec and the one before it, and between the newest one and the current spec (D-40),
 * without what only the generator of the client reads.
 *
 * @param root the repository
 * @param versions the released versions, the newest last
 */
export async function interfaceChanges(root: string, versions: readonly string[]): Promise<string> {
  const spec = (version: string) => join(root, 'releases', version, 'openapi.yaml');
  const next = { name: `After ${versions.at(-1)}`, path: join(root, 'openapi.yaml') };
  const all = [...versions.map((version) => ({ name: version, path: spec(version) })), next];
  const parts = await Promise.all(
    all.map(async ({ name, path }, index) => {
      const before = all[index - 1];
      const reference = index === all.length - 1 ? '' : `${name}/`;
      const title = `## ${name}\n\n[Reference](/reference/${reference}index.html)\n`;
      if (before === undefined) return `${title}\nThe first version.`;
      const weighing = await weigh(readFrom(before.path, root), readFrom(path, root));
      const changes = weighing.changes.filter(({ isOfClient }) => isOfClient !== true);
      const lines = changelogOf({ ...weighing, changes });
      return [title, ...(lines.length > 0 ? lines : ['Nothing has changed.'])].join('\n');
    }),
  );
  return parts.toReversed().join('\n\n');
}
