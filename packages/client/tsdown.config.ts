import { defineConfig } from 'tsdown';

const shared = {
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  logLevel: 'warn',
} as const;

/** `#save-file` stays an import: package.json says which of the other two files it is. */
export default defineConfig([
  { ...shared, entry: 'src/index.ts', external: '#save-file' },
  {
    ...shared,
    entry: { 'save-file': 'src/node/save-file.ts' },
    external: /^node:/,
    dts: { compilerOptions: { types: ['node'] } },
    clean: false,
  },
  {
    ...shared,
    entry: { 'no-save-file': 'src/core/files/save-file.ts' },
    dts: false,
    clean: false,
  },
]);
