/** Who makes a change of a mandate, as its history keeps it. */
export type Actor =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'signer'; readonly requestId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

/** The columns `actor` and `actor_id`. */
export function actorColumns(actor: Actor): { actor: Actor['kind']; actor_id: string | null } {
  if (actor.kind === 'user') return { actor: actor.kind, actor_id: actor.userId };
  if (actor.kind === 'signer') return { actor: actor.kind, actor_id: actor.requestId };
  return { actor: actor.kind, actor_id: null };
}
