import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { mandateTerms } from '../../../agents/mandate/terms/terms.ts';
import {
  grantKeyTypedData,
  type KeyGrant,
  type MandateChange,
  type PauseChange,
  setMandateTypedData,
  setPausedTypedData,
} from '../../../chain/clients/policy-typed-data.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import type { TypedDocument } from '../../../chain/tx/typed-signature.ts';
import type { OwnerActRow } from '../../../store/agent/owner-acts.ts';

/** One change on chain. Each is signed separately, with consecutive nonces. */
export type Change =
  | { readonly is: 'mandate'; readonly change: MandateChange }
  | { readonly is: 'pause'; readonly change: PauseChange }
  | { readonly is: 'grant'; readonly change: KeyGrant };

/**
 * The changes of an act on chain, in order. The second may be left unsigned, because the first does not depend on it.
 */
export function changesOf(
  act: Pick<OwnerActRow, 'kind' | 'epoch' | 'nonce' | 'deadline' | 'detail'>,
  tokenId: bigint,
): readonly [Change, ...Change[]] {
  const slot = (after: bigint) => ({
    tokenId,
    epoch: act.epoch,
    nonce: act.nonce + after,
    deadline: Math.floor(act.deadline.getTime() / 1000),
  });
  const { mandate, grant } = act.detail;
  if (act.kind === 'pause' || act.kind === 'resume' || act.kind === 'retire')
    return [{ is: 'pause', change: { ...slot(0n), paused: act.kind !== 'resume' } }];
  const granted = (after: bigint): Change[] =>
    grant ? [{ is: 'grant', change: { ...slot(after), key: grant.key, validUntil: grant.validUntil } }] : [];
  if (act.kind === 'rotate') return granted(0n) as [Change];
  const terms = mandateTerms(mandate as Mandate);
  return [{ is: 'mandate', change: { ...slot(0n), terms } }, ...granted(1n)];
}

/** What the owner signs for a change (EIP-712). */
export function documentOf(deployment: Deployment, change: Change): TypedDocument {
  if (change.is === 'mandate') return setMandateTypedData(deployment, change.change);
  if (change.is === 'pause') return setPausedTypedData(deployment, change.change);
  return grantKeyTypedData(deployment, change.change);
}
