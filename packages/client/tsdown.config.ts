import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  logLevel: 'warn',
});
