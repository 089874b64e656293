import { decideDispute, holdDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import type { Services } from '../../runtime/services.ts';
import { fileDispute } from '../../store/certificates/disputes.ts';
import { ownerAddress } from './owners.ts';
import type { Action } from './plan.ts';

/** The subject of an action does not exist yet, or no longer exists. */
export class NotReady extends Error {}

const MINUTES = 60;
const WEEK_MS = 7 * 86_400_000;

/** What a wallet does that disputes a lot, and the operator who holds it and decides. */
export async function disputed(
  services: Services,
  { lots }: { readonly lots: readonly { readonly key: string }[] },
  action: Extract<Action, { do: 'dispute' | 'hold' | 'rule' }>,
): Promise<void> {
  if (action.do === 'dispute') {
    const lot = lots[action.lot % Math.max(1, lots.length)];
    if (!lot) throw new NotReady('no lot');
    const filedAt = services.now();
    const dispute = {
      disputeId: services.newId('dsp'),
      tokenId: lot.key.split('/').at(-1)!,
      assetKey: lot.key,
      wallet: ownerAddress(action.by),
      grounds: 'It was sold to me before.',
      evidence: [],
      filedAt,
      replyUntil: new Date(filedAt.getTime() + WEEK_MS),
    };
    await services.db.transaction().execute((trx) => fileDispute(trx, dispute));
    return;
  }
  const all = await services.db.selectFrom('certificate_disputes').selectAll().execute();
  const one = all[action.pick % Math.max(1, all.length)];
  if (!one) throw new NotReady('no dispute');
  if (action.do === 'hold') {
    const hold = { cause: 'It is looked into by us.', hours: action.minutes / MINUTES };
    await holdDispute(services.db, one.dispute_id, hold);
  } else {
    const { ruling } = action;
    await decideDispute(services.db, one.dispute_id, { ruling, reason: 'As the evidence says.' });
  }
}
