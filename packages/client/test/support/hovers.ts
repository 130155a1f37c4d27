import { join } from 'node:path';
import ts from 'typescript';

/**
 * Returns the text that an editor shows for the first use of a name in a program, such as
 * `const customer: Customer`.
 *
 * @param folder where the program stands, so that its imports are found
 */
export function hoversIn(folder: string, program: string): (name: string) => string {
  const file = join(folder, 'hovered.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['adx-source'],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const read = (path: string) => (path === file ? program : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    directoryExists: ts.sys.directoryExists,
    realpath: ts.sys.realpath ?? ((path) => path),
    readFile: read,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(path) {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  const mistakes = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText);
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes));
  return (name) => {
    const place = program.search(new RegExp(`\\b${name}\\b`));
    const hover = service.getQuickInfoAtPosition(file, place);
    return (hover?.displayParts ?? []).map(({ text }) => text).join('');
  };
}
