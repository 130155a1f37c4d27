import { join } from 'node:path';
import ts from 'typescript';
import { repository } from './run-command.js';

/** Every file is parsed once: what decides how, all projects have from the tsconfig.json of the root. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles the files of a folder as its tsconfig.json says, emitting nothing. Of what they import
 * from other folders only the types count: each folder is compiled for itself.
 *
 * @returns the compiler's complaints, as `tsc` prints them
 */
export function compileProject(folder: string): string {
  const unreadable: ts.Diagnostic[] = [];
  const config = ts.getParsedCommandLineOfConfigFile(
    join(repository, folder, 'tsconfig.json'),
    { noEmit: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => unreadable.push(problem) },
  );
  if (config === undefined) return format(unreadable);
  const { options, fileNames, errors } = config;
  const program = ts.createProgram(fileNames, options, createHost(options));
  const complaints = [...errors, ...program.getOptionsDiagnostics()];
  for (const name of fileNames) {
    const file = program.getSourceFile(name);
    complaints.push(
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...program.getDeclarationDiagnostics(file),
    );
  }
  return format([...complaints, ...program.getGlobalDiagnostics()]);
}

function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
    return parsed.get(name);
  };
  return host;
}

function format(complaints: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(complaints, {
    getCurrentDirectory: () => repository,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}
