export { spec, specYaml } from './generated/spec.gen.js';
export type * from './spec-document.js';
