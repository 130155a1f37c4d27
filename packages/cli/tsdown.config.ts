import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/cli.ts',
  platform: 'node',
  target: 'node20',
  dts: false,
  // The packages that are no dependencies are compiled into this one.
  inputOptions: { resolve: { conditionNames: ['adx-source'] } },
  logLevel: 'warn',
});
