import { chainSource, check, type Judging, type Opinion, type View } from '../panel/judging.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import { dealBidChecks, dealBidDoubts, dealBidFeatures, dealBidGrounds } from './deal-bids.ts';
import { fundingCheck, fundingDoubts, fundingFeatures, fundingGrounds } from './deal-funding.ts';
import { historyChecks, historyDoubts, historyFeatures, historyGrounds } from './shill-deal.ts';
import type { DealParty, ShillCommon, ShillFacts } from './shill-evidence.ts';
import { lotChecks, lotGrounds, lotStatistics } from './shill-lot.ts';
import { dealMoney, moneyCheck, moneyDoubts, moneyFeatures, moneyGrounds } from './shill-money.ts';

type ShillView = View<ShillCommon, ShillFacts>;

export const shillCollusion: Judging<ShillCommon, ShillFacts> = {
  rules,
  sample: (common) => (common.scope === 'lot' ? (common.book?.history.lots.length ?? null) : null),
  statistics,
  adversary: ({ common, readings }) =>
    argue([
      {
        holds: common.scope === 'lot' && common.book == null,
        unread: true,
        says: 'the bidding history is not examined, so a ring would not be seen',
      },
      ...(common.scope === 'lot' && common.book != null ? lotGrounds(common.book) : []),
      ...(common.scope === 'deal' && common.history !== undefined ? historyGrounds(common.history) : []),
      ...(common.scope === 'deal'
        ? fundingGrounds(
            readings.map((r) => r.funding),
            common.price,
          )
        : []),
      ...(common.scope === 'deal' ? moneyGrounds(dealMoney(common.money)) : []),
      ...(common.scope === 'deal' ? dealBidGrounds(common.bids) : []),
      {
        holds: common.scope === 'deal' && readings.some((r) => overlap(common.parties, r) > 0),
        hard: true,
        says: 'one owner stands behind both sides',
      },
      { holds: readings.some((r) => r.sharedKey === true), hard: true, says: 'one key acts for both sides' },
    ]),
};

function rules(view: ShillView): Check[] {
  const { common, facts, at } = view;
  if (common.scope === 'lot') {
    if (common.book != null) return lotChecks(common.book, common.seller, at);
    if (common.book === null) return [unknownLot(at)];
    return [
      check(
        'bidding-pattern',
        'INCONCLUSIVE',
        `the bidding history of ${common.lotRef} is not examined by this version of the rules`,
        [{ name: "this platform's book", asOf: at, limit: 'no judge of bidding histories is in service' }],
      ),
    ];
  }
  const sources = [identitySource(view, common.chain)];
  return [
    sameOwner(common.parties, facts, sources),
    sameKey(common.parties, facts, sources),
    ...(common.history === undefined ? [] : historyChecks(common.history, at)),
    ...(facts.funding === undefined
      ? []
      : [
          fundingCheck({ funding: facts.funding, fault: facts.fault }, common.price, [
            fundingSource(view, common.chain),
          ]),
        ]),
    ...moneyCheck(dealMoney(common.money), at),
    ...dealBidChecks(common.bids, at),
  ];
}

/** The words of the asker are not repeated: the record is anchored. */
function unknownLot(at: string): Check {
  return check('lot-known', 'INCONCLUSIVE', 'the lotRef is no lot of this platform', [
    { name: "this platform's book", asOf: at, limit: 'knows the lots that were listed here' },
  ]);
}

function fundingSource(view: ShillView, chain: string): Source {
  const source = chainSource(view, chain);
  const own =
    'transfers of the settlement token to accounts, owners and session keys in the blocks read; not gas money, other tokens, other chains or exchanges';
  return { ...source, limit: `${own}; ${source.limit}` };
}

function identitySource(view: ShillView, chain: string): Source {
  const source = chainSource(view, chain);
  const own =
    'compares live owners and session keys only; bidding patterns and off-chain relations are not examined';
  return { ...source, limit: `${own}; ${source.limit}` };
}

function sameOwner(parties: readonly DealParty[], facts: ShillFacts, sources: readonly Source[]): Check {
  const lines = parties.map((p) => ({ party: p, read: facts.owners.find((o) => o.handle === p.handle) }));
  const unread = lines.find((l) => l.read?.owners == null);
  if (unread !== undefined) {
    const why = unread.read?.fault ?? facts.fault ?? 'no reading';
    return check(
      'same-owner',
      'INCONCLUSIVE',
      `the owner of ${unread.party.handle} could not be read: ${why}`,
      sources,
    );
  }
  const [one, other] = lines.map((l) => [l.party.account, ...(l.read?.owners ?? [])]);
  const shared = one?.find((a) => other?.includes(a));
  if (shared !== undefined) {
    return check('same-owner', 'FLAG', `self-dealing: ${shared} stands behind both sides`, sources, {
      hard: true,
    });
  }
  return check('same-owner', 'PASS', 'the two agents have different owners now', sources);
}

function sameKey(parties: readonly DealParty[], facts: ShillFacts, sources: readonly Source[]): Check {
  if (parties[0]?.sessionKey === parties[1]?.sessionKey || facts.sharedKey === true) {
    return check('same-session-key', 'FLAG', 'one session key acts for both sides', sources, { hard: true });
  }
  if (facts.sharedKey === null) {
    return check(
      'same-session-key',
      'INCONCLUSIVE',
      `the keys could not be read: ${facts.fault ?? 'no reading'}`,
      sources,
    );
  }
  return check('same-session-key', 'PASS', 'each side has its own session key', sources);
}

/** How many addresses occur among the owners of both parties. */
function overlap(parties: readonly DealParty[], facts: ShillFacts): number {
  const seen = new Map<string, Set<string>>();
  for (const p of parties) {
    const owners = facts.owners.filter((o) => o.handle === p.handle).flatMap((o) => o.owners ?? []);
    for (const address of [p.account, ...owners]) {
      seen.set(address, (seen.get(address) ?? new Set()).add(p.role));
    }
  }
  return [...seen.values()].filter((roles) => roles.size > 1).length;
}

function statistics({ common, facts }: ShillView): Opinion {
  if (common.scope === 'lot') {
    return common.book != null
      ? lotStatistics(common.book)
      : scorecard([], 0, ['no bidding history was examined']);
  }
  const read = facts.owners.filter((o) => o.owners !== null && o.owners.length > 0).length;
  const keys = new Set(common.parties.map((p) => p.sessionKey)).size;
  const shared = common.parties.length - keys + (facts.sharedKey === true ? 1 : 0);
  const both = overlap(common.parties, facts);
  // For each thing that this evidence should contain, whether it is known.
  const known = [
    ...(common.history === undefined ? [] : [common.history.complete]),
    ...(facts.funding === undefined ? [] : [facts.funding !== null]),
  ];
  const money = dealMoney(common.money);
  const doubts = [
    ...fundingDoubts(facts.funding, common.price),
    ...historyDoubts(common.history),
    ...moneyDoubts(money),
    ...dealBidDoubts(common.bids),
  ];
  const got = read + (facts.sharedKey === null ? 0 : 1) + known.filter((k) => k).length;
  const coverage = got / (common.parties.length + 1 + known.length);
  return scorecard(
    [
      {
        name: 'shared-owners',
        value: both,
        weight: 100,
        meaning: `${both} addresses behind both sides`,
        hard: true,
      },
      {
        name: 'shared-keys',
        value: shared,
        weight: 100,
        meaning: `${shared} keys shared by both sides`,
        hard: true,
      },
      ...historyFeatures(common.history),
      ...fundingFeatures(facts.funding, common.price),
      ...moneyFeatures(money),
      ...dealBidFeatures(common.bids),
    ],
    doubts.length > 0 ? 0.5 : coverage,
    [...(coverage < 1 ? ['an owner, a key, the history or the transfers could not be read'] : []), ...doubts],
  );
}
