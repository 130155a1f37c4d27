import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../src/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Returns the options that the table of commands has, by command. The table leaves out those of `create`. */
function described(): Record<string, string[]> {
  const cells = [...readme.matchAll(/^\| (`adx [^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const synopses = cells.flatMap((cell) => [...cell.matchAll(/`adx ([^`]+)`/g)]);
  return Object.fromEntries(
    synopses.map(([, text = '']) => [
      /^[a-z]+( [a-z]+)*/.exec(text)?.[0] ?? '',
      [...text.matchAll(/--[a-z-]+/g)].map(([option]) => option).sort(),
    ]),
  );
}

function existing(command: Command, before: string): [string, string[]][] {
  return command.commands.flatMap((each): [string, string[]][] => {
    const name = `${before}${each.name()}`;
    if (each.commands.length > 0) return existing(each, `${name} `);
    return [[name, each.options.map(({ long }) => long ?? '').sort()]];
  });
}

test('D-51 the README describes exactly the commands that exist, with all their options', () => {
  // The commands are not run, so they need no context.
  const commands = Object.fromEntries(existing(createProgram({} as never), ''));
  expect(commands['customers create']).toContain('--contact-email');
  expect(described()).toEqual({ ...commands, 'customers create': ['--enterprise-number'] });
});
