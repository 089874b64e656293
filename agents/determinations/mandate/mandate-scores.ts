import { CATEGORIES, categoryBit } from '../../categories.ts';
import { chainNameOf } from '../../mandate/terms/chains.ts';
import type { Mandate } from '../../mandate/terms/schema.ts';
import { minMicro } from '../../money.ts';
import type { AllReadings, Opinion, View } from '../panel/judging.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import type { MandateChainFacts, MandateCommon } from './mandate-evidence.ts';

const WINDOWS = ['day', 'week', 'month', 'total'] as const;

/** Judges the mandate by numbers with its own code: limits as a list of amounts, scope as bits and instants. */
export function mandateStatistics({ common, facts, at }: View<MandateCommon, MandateChainFacts>): Opinion {
  if (common.agent === null) return scorecard([], 0, ['no agent with an active mandate was found']);
  const { mandate, status } = common.agent;
  const price = BigInt(common.proposal.price);
  const limits = limitsOf(common, facts, mandate);
  const over = limits.filter((l) => l.left !== null && price > l.left);
  const broken = brokenScope(common, mandate, at);
  const buy = common.proposal.side === 'buy';
  const need = price + BigInt(common.reserved);
  const short = buy && facts.funds !== null && BigInt(facts.funds) < need;
  const deals =
    Number(common.deals.total >= (mandate.max_deals_total ?? Number.POSITIVE_INFINITY)) +
    Number(common.deals.day >= (mandate.max_deals_per_day ?? Number.POSITIVE_INFINITY));
  const below = !buy && price < micro(mandate.min_price ?? '0');
  const moved =
    facts.mandateHash !== null && facts.mandateHash.toLowerCase() !== common.agent.mandateHash.toLowerCase();
  const unclean = (mandate.require_clean ?? []).filter((n) => common.verdicts[n] === 'FLAGGED').length;
  const tight = limits.filter(
    (l) => l.left !== null && l.left > 0n && price <= l.left && price * 100n > l.left * 95n,
  );
  const gaps = [
    ...limits.filter((l) => l.left === null).map((l) => `${l.name} could not be read`),
    ...(facts.keyLive === null ? ['the session key could not be read'] : []),
    ...(facts.mandateHash === null ? ['the mandate on chain could not be read'] : []),
    ...(buy && facts.funds === null ? ['the funds could not be read'] : []),
    ...(mandate.require_clean ?? [])
      .filter((n) => common.verdicts[n] === undefined || common.verdicts[n] === 'INCONCLUSIVE')
      .map((n) => `${n} was not determined`),
    ...(buy && mandate.max_pct_of_market !== undefined && common.marketMedian == null
      ? ['the market is not known']
      : []),
    ...(buy && mandate.max_pct_of_face !== undefined && common.faceValue == null
      ? ['the face value is not known']
      : []),
    ...unresolved(common, mandate),
  ];
  const count = (name: string, value: number, weight: number, meaning: string, hard = false) => ({
    name,
    value,
    weight,
    meaning: `${value} ${meaning}`,
    hard,
  });
  return scorecard(
    [
      count(
        'limits-exceeded',
        over.length,
        100,
        `limits exceeded: ${over.map((l) => l.name).join(', ')}`,
        true,
      ),
      count('deal-counts-reached', deals, 100, 'counts of deals reached', true),
      count('scope-broken', broken.length, 60, `clauses of scope broken: ${broken.join(', ')}`),
      count('below-floor', below ? 1 : 0, 60, 'floors undercut'),
      count('funds-short', short ? 1 : 0, 60, 'accounts short of funds'),
      count('key-dead', facts.keyLive === false ? 1 : 0, 60, 'session keys that may not act'),
      count('not-active', status === 'active' ? 0 : 1, 60, 'agents not active'),
      count('mandate-moved', moved ? 1 : 0, 60, 'mandates on chain that differ'),
      count('above-market', aboveMarket(common, mandate) ? 1 : 0, 60, 'shares of the market exceeded'),
      // Evidence of earlier releases has no face value, and is scored as it was.
      ...(common.faceValue === undefined
        ? []
        : [count('above-face', aboveFace(common, mandate) ? 1 : 0, 60, 'shares of the face value exceeded')]),
      count('unclean', unclean, 60, 'determinations that must be CLEAN are FLAGGED'),
      count('tight', tight.length, 5, 'limits more than 95 percent used by this deal'),
    ],
    gaps.length === 0 ? 1 : 1 - gaps.length / (gaps.length + limits.length + 3),
    gaps,
  );
}

interface Limit {
  readonly name: string;
  /** What is left before this deal; null when it could not be read. */
  readonly left: bigint | null;
}

function limitsOf(common: MandateCommon, facts: MandateChainFacts, mandate: Mandate): Limit[] {
  const reserved = BigInt(common.reserved);
  const buy = common.proposal.side === 'buy';
  const used = (window: (typeof WINDOWS)[number], cap: bigint): bigint | null => {
    if (!buy) return cap - BigInt(common.sold[window]) - reserved;
    return facts.remaining === null ? null : minMicro(BigInt(facts.remaining[window]), cap) - reserved;
  };
  const windows = WINDOWS.flatMap((window) => {
    const cap = mandate[`cap_${window === 'total' ? 'total' : `per_${window}`}` as 'cap_total'];
    return cap === undefined ? [] : [{ name: `cap of the ${window}`, left: used(window, micro(cap)) }];
  });
  const deal =
    mandate.cap_per_deal === undefined ? [] : [{ name: 'cap per deal', left: micro(mandate.cap_per_deal) }];
  return [
    ...deal,
    ...windows,
    ...(buy ? [{ name: 'what the chain lets it spend', left: chainLeft(facts, reserved) }] : []),
  ];
}

/**
 * The smallest window less what open deals reserve, but at most `spendable`. `spendable` contains the cap per deal, so
 * nothing is subtracted from it.
 */
function chainLeft({ remaining }: MandateChainFacts, reserved: bigint): bigint | null {
  if (remaining === null) return null;
  const free = WINDOWS.map((window) => BigInt(remaining[window])).reduce(minMicro) - reserved;
  return minMicro(BigInt(remaining.spendable), free);
}

/** Whether a purchase costs more than the share of the market price that the mandate allows. */
function aboveMarket(common: MandateCommon, mandate: Mandate): boolean {
  const { marketMedian, proposal } = common;
  if (proposal.side !== 'buy' || mandate.max_pct_of_market === undefined || marketMedian == null)
    return false;
  return BigInt(proposal.price) * 100_000_000n > BigInt(marketMedian) * micro(mandate.max_pct_of_market);
}

/** The same of the face value that the listing states. */
function aboveFace({ faceValue, proposal }: MandateCommon, mandate: Mandate): boolean {
  if (proposal.side !== 'buy' || mandate.max_pct_of_face === undefined || faceValue == null) return false;
  return BigInt(proposal.price) * 100_000_000n > BigInt(faceValue.amount) * micro(mandate.max_pct_of_face);
}

/** Checks the side as two bits, the category as a bit of the chain's bitmap, and times as instants. */
function brokenScope(common: MandateCommon, mandate: Mandate, at: string): string[] {
  const { side, category, chainId, aliases } = common.proposal;
  const sides = { buy: 1, sell: 2, both: 3 }[mandate.side];
  const bits = (names: readonly (typeof CATEGORIES)[number][]): bigint =>
    names.reduce((b, n) => b | categoryBit(n), 0n);
  const allowed = bits(mandate.categories_allow ?? CATEGORIES) & ~bits(mandate.categories_deny ?? []);
  const now = Date.parse(at);
  const chain = chainNameOf(chainId);
  const has = (list: readonly string[] | undefined): boolean =>
    (list ?? []).some((entry) =>
      aliases.includes((common.names[entry.toLowerCase()] ?? entry).toLowerCase()),
    );
  const closed = mandate.counterparties_allow !== undefined && unresolved(common, mandate).length === 0;
  const rules: readonly (readonly [string, boolean])[] = [
    ['side', (sides & (side === 'buy' ? 1 : 2)) === 0],
    ['category', (allowed & categoryBit(category)) === 0n],
    ['expiry', !(now <= Date.parse(mandate.expires_at))],
    ['start', mandate.not_before !== undefined && !(now >= Date.parse(mandate.not_before))],
    [
      'chain',
      (mandate.chains_deny ?? []).includes(chain) || !(mandate.chains_allow ?? [chain]).includes(chain),
    ],
    ['counterparty denied', has(mandate.counterparties_deny)],
    ['counterparty not on the list', closed && !has(mandate.counterparties_allow)],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([name]) => name);
}

/** Why the mandate's lists of counterparties cannot be compared with this counterparty. */
function unresolved(common: MandateCommon, mandate: Mandate): string[] {
  const entries = [...(mandate.counterparties_allow ?? []), ...(mandate.counterparties_deny ?? [])];
  if (entries.length > 0 && common.proposal.aliases.length === 0) return ['the counterparty is not named'];
  const names = [...entries, ...common.proposal.aliases].filter((e) => e.includes('.'));
  return names
    .filter((e) => common.names[e.toLowerCase()] === undefined)
    .map((e) => `${e} could not be resolved`);
}

/** Converts decimal dollars of a checked mandate to micro-dollars, by padding alone. */
function micro(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(6, '0').slice(0, 6)}`);
}

/** Argues from the smallest of all readings. */
export function mandateAdversary({
  common,
  at,
  readings,
  version,
}: AllReadings<MandateCommon, MandateChainFacts>): Opinion {
  if (common.agent === null)
    return argue([{ holds: true, unread: true, says: 'there is no mandate to hold it to' }]);
  const { mandate, status } = common.agent;
  const need = BigInt(common.proposal.price) + BigInt(common.reserved);
  const buy = common.proposal.side === 'buy';
  const caps = [
    mandate.cap_per_deal,
    mandate.cap_per_day,
    mandate.cap_per_week,
    mandate.cap_per_month,
    mandate.cap_total,
  ];
  return argue([
    {
      holds: readings.some((r) =>
        limitsOf(common, r, mandate).some((l) => l.left !== null && BigInt(common.proposal.price) > l.left),
      ),
      hard: true,
      says: 'a limit is exceeded in one reading',
    },
    {
      holds: brokenScope(common, mandate, at).length > 0,
      says: 'the deal is outside the scope of the mandate',
    },
    { holds: aboveMarket(common, mandate), says: 'the price is above its share of the market' },
    { holds: aboveFace(common, mandate), says: 'the price is above its share of the face value' },
    { holds: status !== 'active', says: 'the agent is not active' },
    { holds: readings.some((r) => r.keyLive === false), says: 'the session key may not act' },
    {
      holds: buy && readings.some((r) => r.funds !== null && BigInt(r.funds) < need),
      says: 'the funds do not reach',
    },
    // Whoever sets no cap has chosen so: in evidence of earlier releases this keeps the votes that were recorded.
    { holds: version === 1 && caps.every((c) => c === undefined) && buy, says: 'no cap binds this purchase' },
    {
      holds: readings.some(
        (r) =>
          r.keyLive === null || r.mandateHash === null || (buy && (r.remaining === null || r.funds === null)),
      ),
      unread: true,
      says: 'a live fact was not read',
    },
  ]);
}
