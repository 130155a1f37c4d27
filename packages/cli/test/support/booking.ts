import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Firm, ListedFile } from './firm.js';

/**
 * A program that takes files from a folder, as accounting programs do, and notes what it has taken.
 */
export interface Booking {
  take(): Promise<void>;
  /** Asserts that each of these files was taken once, is whole, and is acknowledged. */
  expectAll(files: readonly ListedFile[]): Promise<void>;
}

export function createBooking(firm: Firm, folder: string): Booking {
  const booked = `${folder}-booked`;
  const taken = new Map<string, string>();
  return {
    async take() {
      await mkdir(booked, { recursive: true });
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
        if (parentPath.startsWith(join(folder, '.adx'))) continue;
        expect(taken.has(name), `${name} was written twice`).toBe(false);
        taken.set(name, await readFile(join(parentPath, name), 'utf8'));
        await rename(join(parentPath, name), join(booked, basename(name)));
      }
    },
    async expectAll(files) {
      const expected = files.flatMap(({ fileName, content }) => [
        [fileName, content],
        [fileName.replace(/\.[a-z]+$/, '.pdf'), `%PDF of ${content}`],
      ]);
      expect(new Map([...taken].sort())).toEqual(new Map(expected.sort() as [string, string][]));
      expect(await firm.countPending()).toBe(0);
    },
  };
}
