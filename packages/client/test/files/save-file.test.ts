import fileSystem, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf } from '../support/client-of.js';
import { answer, codaFile } from '../support/stored-file.js';
import { TestService } from '../support/test-service.js';
import { TestStorage } from '../support/test-storage.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adx-save-'));
  storage.answering = (response) => answer(response, Buffer.from('the content'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await rm(folder, { recursive: true });
});

async function firstFile() {
  const file = { ...codaFile(storage), fileName: 'file-001.cod' };
  service.on('POST /coda-files', () => ({ json: [{ ibans: [{ files: [file] }] }] }));
  const { value } = await clientOf(service).codaFiles.pending().next();
  return value as Required<NonNullable<typeof value>>;
}

describe('client: saving a pending file', () => {
  it('D-50 the content is synced under another name, then renamed, then the folder is synced', async () => {
    const file = await firstFile();
    const steps: string[] = [];
    const { open, rename } = fileSystem;
    vi.spyOn(fileSystem, 'open').mockImplementation(async (path, ...others) => {
      const opened = await open(path, ...others);
      const sync = opened.sync.bind(opened);
      opened.sync = async () => {
        await sync();
        steps.push(`sync ${basename(String(path))} of ${(await opened.stat()).size}`);
      };
      return opened;
    });
    vi.spyOn(fileSystem, 'rename').mockImplementation(async (from, to) => {
      await rename(from, to);
      steps.push(`rename ${basename(String(from))} to ${basename(String(to))}`);
    });
    syncBuiltinESMExports();
    await file.save(join(folder, 'file-001.cod'));
    const [, temporary = ''] = /^sync (.*\.part) /.exec(steps[0] ?? '') ?? [];
    expect(steps).toEqual([
      `sync ${temporary} of ${'the content'.length}`,
      `rename ${temporary} to file-001.cod`,
      expect.stringContaining(`sync ${basename(folder)} of `),
    ]);
  });

  it('D-50 a file that has the content already is not written again', async () => {
    const file = await firstFile();
    const path = join(folder, file.fileName);
    await file.save(path);
    const { ino, mtimeMs } = await stat(path);
    await file.save(path);
    expect(await stat(path)).toMatchObject({ ino, mtimeMs });
    expect(await readdir(folder)).toEqual(['file-001.cod']);
  });

  it('D-50 a file with another content is never overwritten, and stops no other file', async () => {
    const file = await firstFile();
    const path = join(folder, file.fileName);
    const other = join(folder, `file-001-${file.id}.cod`);
    await writeFile(path, 'my notes');
    expect(await file.save(path)).toBe(other);
    expect(await file.save(path)).toBe(other);
    expect(await readFile(path, 'utf8')).toBe('my notes');
    expect(await readFile(other, 'utf8')).toBe('the content');
    expect(await readdir(folder)).toHaveLength(2);
    await writeFile(other, 'my notes');
    await expect(file.save(path)).rejects.toMatchObject({ code: 'EEXIST', path });
  });

  it('D-50 a download that fails leaves nothing, and a folder that does not exist is an error', async () => {
    const file = await firstFile();
    await expect(file.save(join(folder, 'none', 'file-001.cod'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    storage.answering = (response) =>
      response.writeHead(200, { 'content-length': 20 }).write('short', () => response.destroy());
    await expect(file.save(join(folder, 'file-001.cod'))).rejects.toMatchObject({
      name: 'NetworkError',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'D-50 a folder that its file system cannot sync, as of some network drives, is no error',
    async () => {
      const file = await firstFile();
      // There is a file already, because `/proc` takes no others.
      const path = '/proc/sys/kernel/ostype';
      const stored = await readFile(path);
      storage.answering = (response) => answer(response, stored);
      await file.save(path);
    },
  );

  describe('on Windows', () => {
    const { platform } = process;
    beforeEach(() => void Object.defineProperty(process, 'platform', { value: 'win32' }));
    afterEach(() => {
      Object.defineProperty(process, 'platform', { value: platform });
    });

    /** Lets Node refuse to rename files, as on Windows while another program has one open. */
    function refuseRenames(times: number, code: string) {
      const { rename } = fileSystem;
      let refused = 0;
      const renames = vi.spyOn(fileSystem, 'rename').mockImplementation(async (from, to) => {
        refused += 1;
        if (refused > times) return rename(from, to);
        throw Object.assign(new Error(code), { code });
      });
      syncBuiltinESMExports();
      return renames;
    }

    it.each(['EPERM', 'EACCES', 'EBUSY'])(
      'D-50 a file that another program has open for a moment is saved (%s)',
      async (code) => {
        const file = await firstFile();
        const renames = refuseRenames(1, code);
        await file.save(join(folder, 'file-001.cod'));
        expect(renames).toHaveBeenCalledTimes(2);
        expect(await readdir(folder)).toEqual(['file-001.cod']);
      },
    );

    it('D-50 another error is thrown at once, and nothing is left', async () => {
      const file = await firstFile();
      const renames = refuseRenames(Number.POSITIVE_INFINITY, 'ENOSPC');
      await expect(file.save(join(folder, 'file-001.cod'))).rejects.toMatchObject({
        code: 'ENOSPC',
      });
      expect(renames).toHaveBeenCalledTimes(1);
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('D-50 save without a path is a TypeError', async () => {
    const file = await firstFile();
    const save = file.save as (path?: string) => Promise<void>;
    await expect(save()).rejects.toThrow('save takes the path of the file to write');
  });

  it('D-50 a string in place of options is a TypeError, and nothing is saved', async () => {
    const file = await firstFile();
    const expected = "takes an object with options, such as { kind: 'pdf' }";
    await expect(file.bytes('pdf' as never)).rejects.toThrow(expected);
    await expect(file.save(join(folder, '001.pdf'), 'pdf' as never)).rejects.toThrow(expected);
    expect(await readdir(folder)).toEqual([]);
  });
});
