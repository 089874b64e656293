import { lowerAddress } from '../ids.ts';
import { judgeMandate } from './compliance.ts';
import type { MandateFacts, MandateProposal } from './proposal.ts';
import type { Mandate } from './schema.ts';

/** The other side of a pair, under every name that a mandate may list it by. */
export interface Counterparty {
  readonly handle: string;
  readonly account: string;
  /** The wallet that owned it when its order was placed. */
  readonly owner: string;
}

/** What only the deal's own determination reads. */
const UNREAD: Omit<MandateFacts, 'names'> = {
  remaining: null,
  sold: null,
  reservedMicro: null,
  deals: null,
  marketMedianMicro: null,
  faceValueMicro: null,
  verdicts: {},
};

/**
 * Whether a mandate allows this very counterparty at this price: sides, window, goods, chain, lists, and the caps as
 * far as the price alone breaks them. A FLAG is no. A clause that needs a live fact does not answer here: the deal is
 * determined before anything moves, and there it does.
 */
export function mandateAllows(
  mandate: Mandate,
  proposal: Omit<MandateProposal, 'counterparty'>,
  other: Counterparty,
): boolean {
  const { handle } = other;
  const [account, owner] = [lowerAddress(other.account), lowerAddress(other.owner)];
  const known = [account, owner, handle];
  const listed = (list: readonly string[] = []) => list.find((entry) => known.includes(entry.toLowerCase()));
  // One party goes by several names: a name denied decides before a name allowed.
  const counterparty = listed(mandate.counterparties_deny) ?? listed(mandate.counterparties_allow) ?? account;
  const { checks } = judgeMandate(mandate, { ...proposal, counterparty }, { ...UNREAD, names: {} });
  return checks.every((check) => check.outcome !== 'FLAG');
}
