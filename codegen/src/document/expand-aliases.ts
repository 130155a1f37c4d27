import { type Alias, type Document, type Node, visit } from 'yaml';

/** Puts the element in the place of each alias, so that its parts can be moved to other documents. */
export function expandAliases(yaml: Document.Parsed): void {
  const targets = new Map<Alias, Node | undefined>();
  visit(yaml, { Alias: (_key, alias) => void targets.set(alias, alias.resolve(yaml)) });
  if (targets.size === 0) return;
  visit(yaml, { Alias: (_key, alias) => targets.get(alias) });
}
