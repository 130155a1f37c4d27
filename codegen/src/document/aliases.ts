import { type Alias, type Document, isAlias, type Node, visit } from 'yaml';

/**
 * Returns the element for which each alias stands; undefined if no anchor before it has its name.
 * `resolve` of the library would visit the whole document for each alias.
 */
export function aliasTargets(yaml: Document): Map<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(yaml, {
    Node(_key, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Puts the elements in the place of aliases, so that they can be moved to other documents. */
export function expandAliases(yaml: Document): void {
  const targets = aliasTargets(yaml);
  if (targets.size === 0) return;
  visit(yaml, { Alias: (_key, alias) => targets.get(alias) });
}
