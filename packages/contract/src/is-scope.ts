import { type Scope, scopes } from './generated/operations.gen.js';

/** Whether a text, such as one from a database or a command line, is a scope of the interface. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
