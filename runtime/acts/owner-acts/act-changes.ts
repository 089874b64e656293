import type { Mandate } from '../../../agents/mandate/schema.ts';
import { mandateTerms } from '../../../agents/mandate/terms.ts';
import type { Deployment } from '../../../chain/deployment.ts';
import {
  grantKeyTypedData,
  type KeyGrant,
  type MandateChange,
  type PauseChange,
  setMandateTypedData,
  setPausedTypedData,
} from '../../../chain/policy-typed-data.ts';
import type { TypedDocument } from '../../../chain/typed-signature.ts';
import type { OwnerActRow } from '../../../store/owner-acts.ts';

/** The session key that an act grants. */
export interface Grant {
  /** Which of the derived keys. */
  readonly index: string;
  readonly key: `0x${string}`;
  /** Unix seconds. */
  readonly validUntil: number;
}

/** What an act says beside its kind, as its row keeps it. */
export interface ActDetail {
  readonly text?: string;
  readonly mandate?: Mandate;
  readonly grant?: Grant | null;
  /** The key that a new one takes the place of. */
  readonly oldKey?: `0x${string}`;
  /** Until when the key that is granted already stays live, unix seconds; null where there is none of this owner's. */
  readonly keyUntil?: number | null;
}

/** One change on chain: each is signed by itself, under nonces that follow one another. */
export type Change =
  | { readonly is: 'mandate'; readonly change: MandateChange }
  | { readonly is: 'pause'; readonly change: PauseChange }
  | { readonly is: 'grant'; readonly change: KeyGrant };

export function detailOf(act: Pick<OwnerActRow, 'detail'>): ActDetail {
  return act.detail as ActDetail;
}

/** What an act changes on chain, in order. The second may be left unsigned: the first stands without it. */
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
  const { mandate, grant } = detailOf(act);
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
