import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMarkdownRenderer } from 'vitepress';
import client from '../../packages/client/package.json' with { type: 'json' };
import type { Dates } from './dates.js';

/**
 * Returns the changelog as a feed (Atom, RFC 4287): an entry for each version, and one for what is
 * not released yet, if Git knows when it was changed.
 *
 * @param root the repository
 * @param versions the released versions, the newest last
 */
export async function feedOfChanges(
  root: string,
  versions: readonly string[],
  dates: Dates,
): Promise<string> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const markdown = await createMarkdownRenderer(root, {
    highlight: (code) => code,
    anchor: { permalink: () => undefined },
  });
  const address = `${client.homepage}interface/changes.html`;
  const entries = changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, version = '', released] = /^\[(.+?)\](?: - (\S+))?/.exec(section) ?? [];
      const day = released ?? dates.changed.get('CHANGELOG.md');
      if (day === undefined) return [];
      const text = markdown.render(section.slice(section.indexOf('\n')));
      // The anchor on the page. After each release, unreleased changes have another one.
      const heading = released ? version : `After ${versions.at(-1)}`;
      const [, anchor] = /id="(.+?)"/.exec(markdown.render(`## ${heading}`)) ?? [];
      return [{ version, link: `${address}#${anchor}`, updated: `${day}T00:00:00Z`, text }];
    });
  // HTML from Markdown never has the end of CDATA, because its `>` are escaped.
  const elements = entries.map(
    ({ version, link, updated, text }) => `  <entry>
    <title>${version}</title>
    <id>${link}</id>
    <link href="${link}"/>
    <updated>${updated}</updated>
    <content type="html"><![CDATA[${text}]]></content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Changes of the Accounting Data Exchange</title>
  <id>${client.homepage}changes.xml</id>
  <link rel="self" href="${client.homepage}changes.xml"/>
  <link href="${address}"/>
  <author><name>Accounting Data Exchange</name></author>
  <updated>${entries[0]?.updated ?? '1970-01-01T00:00:00Z'}</updated>
${elements.join('\n')}
</feed>
`;
}
