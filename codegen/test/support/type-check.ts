import { join } from 'node:path';
import ts from 'typescript';
import { repository } from './temporary-repository.js';

/** Libraries are parsed once for all programs of a test file. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles files with the compiler options of the root, emitting nothing.
 *
 * @returns the compiler's complaints as `file(line): message`, files relative to `root`
 */
export function typeCheck(root: string, files: readonly string[]): string[] {
  const program = ts.createProgram({
    rootNames: [...files],
    options: compilerOptions(root),
    host: createHost(root),
  });
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
    if (!diagnostic.file) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return `${diagnostic.file.fileName.replace(`${root}/`, '')}(${line + 1}): ${message}`;
  });
}

function compilerOptions(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(repository, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  return { ...options, noEmit: true };
}

function createHost(root: string): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions(root));
  const { getSourceFile } = host;
  host.getCurrentDirectory = () => root;
  host.getSourceFile = (name, ...rest) => {
    if (!/node_modules\/(@types|typescript)\//.test(name)) return getSourceFile(name, ...rest);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  return host;
}
