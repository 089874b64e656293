import type { AnyMachineSnapshot } from 'xstate';

/**
 * Whether an actor stands in a state that waits for an effect of this kind: one that asks for it when it is entered, or one
 * that says by a tag of the kind's name that the effect may still come to its end there.
 */
export function stillAsks(snapshot: AnyMachineSnapshot, kind: string): boolean {
  if (snapshot.status !== 'active') return false;
  return (
    snapshot.hasTag(kind) ||
    snapshot._nodes.some(({ entry }) =>
      entry.some((action) => (action as { readonly type?: unknown }).type === kind),
    )
  );
}
