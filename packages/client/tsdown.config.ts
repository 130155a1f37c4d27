import { defineConfig } from 'tsdown';

const shared = {
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  logLevel: 'warn',
} as const;

/** Imports with `#` stay: package.json has two files for each, one of which is for Node. */
export default defineConfig([
  { ...shared, entry: 'src/index.ts', external: /^#/ },
  ...['save-file', 'network-cause'].map((name) => ({
    ...shared,
    entry: { [name]: `src/node/${name}.ts` },
    external: /^node:/,
    dts: name === 'save-file' && { compilerOptions: { types: ['node'] } },
    clean: false,
  })),
  {
    ...shared,
    entry: {
      'no-save-file': 'src/core/files/save-file.ts',
      'no-network-cause': 'src/core/network-cause.ts',
    },
    dts: false,
    clean: false,
  },
]);
