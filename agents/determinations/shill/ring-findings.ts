import type { BidHistory } from './bid-history.ts';
import { standingOut } from './bid-likelihood.ts';
import { type BidRing, RING_SIZE, ringsByChance, ringsByPresence } from './bid-rings.ts';
import { customersOf } from './joined-sellers.ts';
import { honestChance, honestReason } from './loyalty.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Rings that are a finding, and those that may be honest, each with the reason. */
interface RingFindings {
  readonly flagged: readonly BidRing[];
  readonly unjudged: readonly string[];
}

/** The rings among the bidders of a seller, by how often they are there. */
export function ringsAtPresence(history: BidHistory): RingFindings {
  return ringsOf(history, ringsByPresence(history), honestReason);
}

/** The same against chance: what the other bidders of this seller do. */
export function ringsAtChance(history: BidHistory): RingFindings {
  return ringsOf(history, ringsByChance(history), honestChance);
}

function ringsOf(
  history: BidHistory,
  rings: readonly BidRing[],
  honest: (history: BidHistory, ring: BidRing) => string | null,
): RingFindings {
  const customers = history.bidding !== undefined ? customersOf(history) : NOBODY;
  // Everybody's likelihoods are worked out once, and only where there is a ring.
  const standOut = (history.bidding ?? 1) >= 3 && rings.length > 0 ? standingOut(history) : () => true;
  const all = rings.map((ring) => ({
    ring,
    why:
      honest(history, ring) ?? ofAStyle(ring, customers) ?? (standOut(ring.members) ? null : OF_THE_MARKET),
  }));
  return {
    flagged: all.flatMap(({ ring, why }) => (why === null ? [ring] : [])),
    unjudged: all.flatMap(({ ring, why }) => (why === null ? [] : [`${ringText(ring)}; but ${why}`])),
  };
}

/** Whoever keeps to the few sellers of a style meets the others who do, and most of them lose. */
function ofAStyle({ members }: BidRing, customers: ReadonlySet<string>): string | null {
  const others = members.filter((member) => !customers.has(member));
  if (others.length >= RING_SIZE) return null;
  return `${members.length - others.length} of them keep to this and a few other sellers in the same way, with customers who win: a style that few sell`;
}

/** Where customers keep to a house, three of one house meet there; whoever wins little loses together with the others. */
const OF_THE_MARKET = 'others in this market keep to one seller as they do: customers of a house';

/** A ring in one sentence, with its figures. */
export function ringText(ring: BidRing): string {
  const { members, of, lots, presence, coherence, won, usual, chance } = ring;
  return `${members.length} bidders (${members.join(', ')}) meet on ${lots} lots of this seller: on average each bids on ${percent(presence)} of its ${of} lots, where who comes back bids on ${percent(usual)}, so that chance alone makes it so in ${inHow(chance)}; ${percent(coherence)} of their lots in common, ${won} won`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} percent`;
}

function inHow(chance: number): string {
  return chance < 1e-6 ? 'less than one of a million' : `one of ${Math.round(1 / chance)}`;
}
