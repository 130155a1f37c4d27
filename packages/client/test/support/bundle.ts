import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** The size limit in a partner's application, gzipped, openapi-fetch included: 8 KiB. */
export const sizeBudget = 8192;

/** The output of a partner's bundler for the client. */
export interface Bundle {
  /** All files by name. `index.js` is the entry, and loads the others. */
  readonly files: ReadonlyMap<string, string>;
  /** The part that is loaded with the application: `index.js` and its imports. */
  readonly main: Part;
  /** The part that is loaded with the first list of files or uploads. */
  readonly listing: Part;
  /** The part that is loaded with the first download. */
  readonly download: Part;
  /** The part that is loaded with the first pending file, besides that of downloads. */
  readonly pending: Part;
  /** The part that is loaded with the first upload, aws4fetch included. */
  readonly upload: Part;
  /** The part that is loaded if there is a logger. */
  readonly logging: Part;
}

export interface Part {
  readonly names: readonly string[];
  /** Sizes in bytes. Each file is gzipped separately, as it is sent. */
  readonly gzippedSize: number;
}

/** Bundles the client with everything it depends on, as a partner's bundler does. */
export async function bundleClient(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    outdir: '/client',
    chunkNames: '[name]-[hash]',
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['adx-source'],
    target: 'es2022',
  });
  const files = new Map(outputFiles.map((file) => [basename(file.path), file.text]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );

  /** Returns a file and the files that it imports. */
  const withImports = (name: string): string[] => {
    const imports = outputs.get(name)?.imports ?? [];
    const needed = imports.filter(({ kind }) => kind === 'import-statement');
    return [name, ...needed.flatMap(({ path }) => withImports(basename(path)))];
  };
  const part = (name: string, loaded: readonly string[] = []): Part => {
    const names = [...new Set(withImports(name))].filter((it) => !loaded.includes(it));
    const sizes = names.map((it) => gzipSync(files.get(it) ?? '', { level: 9 }).length);
    return { names, gzippedSize: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const nameOf = (source: string) =>
    [...outputs].find(([, { entryPoint }]) => entryPoint?.endsWith(source))?.[0] ?? '';
  const main = part(nameOf('src/index.ts'));
  const download = part(nameOf('core/files/download.ts'), main.names);
  return {
    files,
    main,
    listing: part(nameOf('core/files/check-file-names.ts'), main.names),
    download,
    pending: part(nameOf('core/files/pending.ts'), [...main.names, ...download.names]),
    upload: part(nameOf('core/files/upload.ts'), main.names),
    logging: part(nameOf('core/log.ts'), main.names),
  };
}
