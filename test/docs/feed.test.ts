import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { feedOfChanges } from '../../docs/site/feed.js';
import { siteConfig } from '../../docs/site/site-config.js';
import client from '../../packages/client/package.json' with { type: 'json' };

test('D-52 the feed has each version of the changelog with its link, and what is not released if Git knows its day', async () => {
  const root = await mkdtemp(join(tmpdir(), 'adx-feed-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const released = '## [1.1.0] - 2026-12-01\n\n### Added\n\n- Banks & `x > y`.\n';
  await writeFile(join(root, 'CHANGELOG.md'), `# Changelog\n\n## [Unreleased]\n\n${released}`);
  const dates = { added: new Map(), changed: new Map([['CHANGELOG.md', '2026-12-02']]) };
  const titles = (feed: string) => [...feed.matchAll(/<title>(.+)<\/title>/g)].map(([, t]) => t);
  const whole = await feedOfChanges(root, ['1.0.0', '1.1.0'], dates);
  expect(titles(whole).slice(1)).toEqual(['Unreleased', '1.1.0']);
  const links = ['after-1-1-0', '_1-1-0'].map(
    (id) => `${client.homepage}interface/changes.html#${id}`,
  );
  expect([...whole.matchAll(/<id>(.+#.+)<\/id>/g)].map(([, id]) => id)).toEqual(links);
  expect([...whole.matchAll(/<link href="(.+#.+)"\/>/g)].map(([, link]) => link)).toEqual(links);
  const { head } = siteConfig('/docs/', { script: '', style: '', files: [] });
  expect(head).toContainEqual(['link', expect.objectContaining({ title: 'Changes' })]);
  const feed = await feedOfChanges(root, ['1.1.0'], { ...dates, changed: new Map() });
  expect(titles(feed).slice(1)).toEqual(['1.1.0']);
  expect(feed).toContain('<updated>2026-12-01T00:00:00Z</updated>');
  expect(feed).toContain('<li>Banks &amp; <code>x &gt; y</code>.</li>');
});
