import type { SpecNode } from '../../document/spec-document.js';
import { type OperationObject, operationName } from '../../openapi/operation-object.js';
import type { PartChange } from './change.js';
import { compareNamed, compareOtherMembers, listOf, membersOf, pairs } from './compare-members.js';
import type { Operations } from './compare-messages.js';

/** A set of credentials that an operation accepts, such as `apiKey` and `apiKey customers:read`. */
type Credentials = readonly string[];

/** Compares security: a caller needs one of several sets (OpenAPI 3.1 §4.8.30). */
export function* compareSecurity({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before, after].map(acceptedBy);
  if (old === undefined || now === undefined) return;
  const name = operationName(before);
  const node = securityOf(after) ?? securityOf(before) ?? after.node;
  const refused = old.filter((had) => !now.some((needed) => isEnough(had, needed)));
  const accepted = now.filter((needed) => !old.some((had) => isEnough(needed, had)));
  const change = { node, use: {} } as const;
  if (refused.length > 0) {
    const added = now[0]?.filter((each) => !refused[0]?.includes(each)) ?? [];
    const text =
      now.length === 1
        ? `\`${name}\` now requires ${listOf(added)}.`
        : `\`${name}\` no longer accepts ${listOf(refused.flat())}.`;
    yield { ...change, weight: 'major', text };
  }
  if (accepted.length > 0) {
    const dropped = old[0]?.filter((each) => !accepted[0]?.includes(each)) ?? [];
    const text =
      old.length === 1 && now.length === 1
        ? `\`${name}\` no longer requires ${listOf(dropped)}.`
        : `\`${name}\` now also accepts ${listOf(accepted.flat()) || 'no credentials'}.`;
    yield { ...change, weight: 'minor', text };
  }
}

function isEnough(had: Credentials, needed: Credentials): boolean {
  return needed.every((each) => had.includes(each));
}

function securityOf({ node }: OperationObject): SpecNode | undefined {
  return node.get('security') ?? node.document.root.get('security');
}

function acceptedBy(operation: OperationObject): Credentials[] {
  const requirements = securityOf(operation)?.items ?? [];
  if (requirements.length === 0) return [[]];
  return requirements.map(({ members }) =>
    members.flatMap(({ key, items }) => [key, ...items.map(({ value }) => `${key} ${value}`)]),
  );
}

/** Compares how credentials are sent (Security Scheme Object, OpenAPI 3.1 §4.8.27). */
export function* compareSecuritySchemes(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const schemes = (root: SpecNode) => membersOf(root.at('components', 'securitySchemes'));
  for (const { key: name, ...sides } of pairs(schemes(before), schemes(after))) {
    // One that is new or gone shows at the operations that require it.
    if (sides.before === undefined || sides.after === undefined) continue;
    const subject = `the credential \`${name}\``;
    yield* compareOtherMembers(sides.before, sides.after, subject, ['flows'], {});
    const flowName = (flow: string) => `The flow \`${flow}\` of ${subject}`;
    const [flows, flowsNow] = [sides.before, sides.after].map((node) => node.follow().get('flows'));
    yield* compareNamed(flows, flowsNow, flowName, {}, compareFlow);

    /** Compares a way to a token, and the scopes that it can have (§4.8.28 and §4.8.29). */
    function* compareFlow(before: SpecNode, after: SpecNode, { key }: { readonly key: string }) {
      const flow = `\`${key}\` of ${subject}`;
      yield* compareOtherMembers(before, after, flow, ['scopes'], {});
      const scopeName = (scope: string) => `The scope \`${scope}\` of ${flow}`;
      yield* compareNamed(before.get('scopes'), after.get('scopes'), scopeName, {});
    }
  }
}
