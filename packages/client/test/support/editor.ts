import { join } from 'node:path';
import ts from 'typescript';

interface Editor {
  /** Returns the text for the first use of a name, such as `const customer: Customer`. */
  hover(name: string): string;
  /** Returns the comment that it shows for the first use of a name. */
  comment(name: string): string;
  /** Returns the values that it proposes for the first empty text. */
  proposals(): string[];
}

/**
 * Opens a program as an editor does.
 *
 * @param folder where the program stands, so that its imports are found
 * @throws Error if it does not compile
 */
export function openInEditor(folder: string, program: string): Editor {
  const file = join(folder, 'edited.ts');
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
  const shownFor = (name: string) =>
    service.getQuickInfoAtPosition(file, program.search(new RegExp(`\\b${name}\\b`)));
  const textOf = (parts: readonly ts.SymbolDisplayPart[] = []) =>
    parts.map(({ text }) => text).join('');
  return {
    hover: (name) => textOf(shownFor(name)?.displayParts),
    comment: (name) => textOf(shownFor(name)?.documentation),
    proposals() {
      const place = program.indexOf("''") + 1;
      const proposed = service.getCompletionsAtPosition(file, place, undefined);
      return (proposed?.entries ?? []).map(({ name }) => name).sort();
    },
  };
}
