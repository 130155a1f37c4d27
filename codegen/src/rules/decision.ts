import type { SpecNode } from '../document/spec-document.js';
import type { Rule } from './rule.js';

/** `x-decision` names the records in `docs/decisions/` on which an element rests. */
export const decision: Rule = {
  name: 'decision',
  check({ root }, report) {
    for (const node of decisionsBelow(root)) {
      const names = node.text === undefined ? node.items : [node];
      if (names.length === 0) report(node, 'x-decision is not D-nn or a list of them.');
      for (const name of names) {
        if (!/^D-\d\d$/.test(name.text ?? '')) {
          report(name, `x-decision ${JSON.stringify(name.value)} is not of the form D-nn.`);
        }
      }
    }
  },
};

function* decisionsBelow(node: SpecNode): Generator<SpecNode> {
  for (const child of [...node.members, ...node.items]) {
    if (child.key === 'x-decision') yield child;
    else yield* decisionsBelow(child);
  }
}
