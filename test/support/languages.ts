import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from './run-command.js';

/** The languages of samples besides TypeScript. */
export type Language = 'C#' | 'PHP' | 'Python' | 'Java' | 'curl';

/** Programs by their names, which are identifiers. */
export type Sources = Readonly<Record<string, string>>;

/** A command with its parameters. */
export type Command = readonly [command: string, ...parameters: string[]];

interface Runner {
  /** A program or library that it needs, and the Debian package that has it. */
  readonly needs: Readonly<Record<string, string>>;
  /** Writes programs into a folder, and returns the command that runs each. */
  build(sources: Sources, folder: string): Promise<(name: string) => Command>;
}

const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const jackson = ['databind', 'core', 'annotations'].map(
  (part) => `/usr/share/java/jackson-${part}.jar`,
);

const runners: Readonly<Record<Language, Runner>> = {
  'C#': {
    needs: { mcs: 'mono-mcs', mono: 'mono-runtime', [newtonsoft]: 'libnewtonsoft-json5.0-cil' },
    build: buildCsharp,
  },
  PHP: { needs: { php: 'php-cli' }, build: interpreted('php') },
  Python: { needs: { python3: 'python3' }, build: interpreted('python3') },
  Java: {
    needs: { javac: 'default-jdk-headless', [jackson[0] ?? '']: 'libjackson2-databind-java' },
    build: buildJava,
  },
  curl: { needs: { curl: 'curl' }, build: interpreted('sh') },
};

/** Returns a sentence about what a language needs and is missing, if anything is. */
export function missingFor(language: Language): string | undefined {
  const missing = Object.entries(runners[language].needs).find(([name]) =>
    name.startsWith('/') ? !existsSync(name) : spawnSync('which', [name]).status !== 0,
  );
  return missing && `${missing[0]} is missing: install the Debian package ${missing[1]}.`;
}

/** Skips a test, and says why, if this machine cannot run a language. */
export function skipWithout(language: Language, skip: (why: string) => void): void {
  const missing = missingFor(language);
  if (missing === undefined) return;
  process.stdout.write(`${missing}\n`);
  skip(missing);
}

/**
 * Builds programs together, because each start of a compiler takes a second. Returns the command
 * that runs each.
 *
 * @param parent the folder in which a folder for them is made
 */
export async function buildPrograms(
  language: Language,
  sources: Sources,
  parent: string,
): Promise<(name: string) => Command> {
  return runners[language].build(sources, await mkdtemp(join(parent, 'programs-')));
}

function interpreted(command: string): Runner['build'] {
  return async (sources, folder) => {
    const fileOf = (name: string) => join(folder, name);
    for (const [name, source] of Object.entries(sources)) await write(fileOf(name), source);
    return (name) => [command, fileOf(name)];
  };
}

/** Each program is in a package of its own, because all classes may have one name. */
async function buildJava(sources: Sources, folder: string): Promise<(name: string) => Command> {
  const files = Object.entries(sources).map(([name, source]) => {
    const path = join(folder, name, `${classOf(source)}.java`);
    return { path, text: `package ${name};\n${source}` };
  });
  for (const { path, text } of files) await write(path, text);
  const classPath = [folder, ...jackson].join(':');
  await runCommand('javac', [
    '-Xlint:all,-text-blocks',
    '-Werror',
    '-cp',
    classPath,
    ...files.map(({ path }) => path),
  ]);
  return (name) => {
    const options = ['-XX:TieredStopAtLevel=1', '-cp', classPath];
    return ['java', ...options, `${name}.${classOf(sources[name] ?? '')}`];
  };
}

function classOf(source: string): string {
  return /^public class (\w+)/m.exec(source)?.[1] ?? '';
}

/**
 * Each program is in a namespace of its own, and the first parameter says which one runs. Mono's
 * compiler knows no `async Main`, so that another one calls theirs.
 */
async function buildCsharp(sources: Sources, folder: string): Promise<(name: string) => Command> {
  const main = 'static async Task Main()';
  const parts = Object.entries(sources).map(([name, source]) => {
    return `namespace ${name} {\n${source.replace(main, `internal ${main}`)}}\n`;
  });
  const cases = Object.keys(sources).map(
    (name) => `case "${name}": ${name}.Program.Main().GetAwaiter().GetResult(); break;`,
  );
  const chosen = `switch (names[0]) { ${cases.join(' ')} }`;
  const all = `${parts.join('')}class All { static void Main(string[] names) { ${chosen} } }\n`;
  const file = join(folder, 'All.cs');
  const program = join(folder, 'All.exe');
  await write(file, all);
  const references = ['System.Net.Http.dll', newtonsoft].map((path) => `-r:${path}`);
  const options = ['-langversion:7.1', '-codepage:utf8', '-warnaserror', '-main:All'];
  await runCommand('mcs', [...options, ...references, `-out:${program}`, file]);
  return (name) => ['mono', program, name];
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
