import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/cli.ts',
  platform: 'node',
  target: 'node20',
  dts: false,
  logLevel: 'warn',
});
