import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keptLinkSecret } from '../../src/mandates/link-secret.js';

test.each(['', '\0'.repeat(43), 'short'])(
  'D-25 a file that holds no whole secret (%j) is refused, not used',
  async (content) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'adx-secret-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const path = join(dataDir, 'link-secret');
    await writeFile(path, content);
    await expect(keptLinkSecret(dataDir)).rejects.toThrow(`${path} holds no secret`);
  },
);
