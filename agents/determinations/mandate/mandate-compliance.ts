import { judgeMandate } from '../../mandate/compliance/compliance.ts';
import type { MandateFacts, MandateProposal } from '../../mandate/compliance/proposal.ts';
import type { Mandate } from '../../mandate/terms/schema.ts';
import { formatUsd } from '../../money.ts';
import { chainSource, check, type Judging, type View } from '../panel/judging.ts';
import type { Check, Outcome, Source } from '../panel/types.ts';
import type { MandateChainFacts, MandateCommon } from './mandate-evidence.ts';
import { mandateAdversary, mandateStatistics } from './mandate-scores.ts';

type MandateView = View<MandateCommon, MandateChainFacts>;

export const mandateCompliance: Judging<MandateCommon, MandateChainFacts> = {
  rules,
  statistics: mandateStatistics,
  adversary: mandateAdversary,
};

/** Exceeding a limit is a hard flag, which needs no vote; breaking another clause is not. */
const HARD = /^mandate-(?:cap-|live-limits$|deals-)/;

function rules(view: MandateView): Check[] {
  const { common, at } = view;
  const kept: Source = { name: "this platform's directory", asOf: at, limit: 'agents minted here only' };
  if (common.agent === null) {
    return [check('mandate-known', 'INCONCLUSIVE', 'no agent of this handle has an active mandate', [kept])];
  }
  const live = chainSource(view, common.chain);
  const judged = judgeMandate(
    common.agent.mandate,
    proposalOf(common, common.agent.mandate, at),
    factsOf(view),
  );
  const terms: Source = {
    name: `the active mandate of ${common.handle}, ${common.agent.mandateHash}`,
    asOf: at,
    limit: 'as its owner signed it; the chain enforces its caps on its own',
  };
  const face = common.faceValue == null ? [] : [faceSource(common.faceValue.source, at)];
  return [
    agentActive(common.agent.status, kept),
    ...judged.checks.map((c) =>
      check(
        c.id,
        c.outcome,
        c.limit === undefined ? c.detail : `${c.detail} The limit: ${c.limit}.`,
        c.id === 'mandate-face' ? [terms, ...face] : [terms, live],
        {
          hard: c.outcome === 'FLAG' && HARD.test(c.id),
        },
      ),
    ),
    mandateOnChain(view, common.agent.mandateHash, live),
    keyLive(view, live),
    ...(common.proposal.side === 'buy' ? [fundsAvailable(view, live)] : []),
  ];
}

function faceSource(source: string, at: string): Source {
  return {
    name: 'the listing, as its seller signed it',
    asOf: at,
    limit: `the seller names “${source}” for the face value; nobody here has looked at it`,
  };
}

function agentActive(status: string, source: Source): Check {
  return check('agent-active', status === 'active' ? 'PASS' : 'FLAG', `the agent is ${status}`, [source]);
}

/** The mandate that the chain enforces must be the one that is judged here. */
function mandateOnChain({ facts }: MandateView, hash: string, live: Source): Check {
  if (facts.mandateHash === null) return unread('mandate-on-chain', facts, live);
  const same = facts.mandateHash.toLowerCase() === hash.toLowerCase();
  const detail = same
    ? 'the chain holds this mandate'
    : `the chain holds another mandate, ${facts.mandateHash}`;
  return check('mandate-on-chain', same ? 'PASS' : 'FLAG', detail, [live]);
}

function keyLive({ facts }: MandateView, live: Source): Check {
  if (facts.keyLive === null) return unread('key-live', facts, live);
  const detail = facts.keyLive
    ? 'the session key may act now'
    : 'the session key may not act: revoked, expired or sold';
  return check('key-live', facts.keyLive ? 'PASS' : 'FLAG', detail, [live]);
}

function fundsAvailable({ common, facts }: MandateView, live: Source): Check {
  if (facts.funds === null) return unread('funds-available', facts, live);
  const need = BigInt(common.proposal.price) + BigInt(common.reserved);
  const outcome: Outcome = BigInt(facts.funds) >= need ? 'PASS' : 'FLAG';
  const detail = `the account holds ${formatUsd(BigInt(facts.funds))} for ${formatUsd(need)}, deals under way counted`;
  return check('funds-available', outcome, detail, [live]);
}

function unread(id: string, facts: MandateChainFacts, live: Source): Check {
  return check(id, 'INCONCLUSIVE', `could not be read: ${facts.fault ?? 'no reading'}`, [live]);
}

function proposalOf(common: MandateCommon, mandate: Mandate, at: string): MandateProposal {
  const { side, category, price, chainId, counterparty } = common.proposal;
  const named = counterparty === null ? undefined : nameOnLists(common, mandate);
  return {
    side,
    category,
    priceMicro: BigInt(price),
    chainId,
    at,
    ...(named === undefined ? {} : { counterparty: named }),
  };
}

/**
 * One party may be known by handle, account and owner. The name on the mandate's lists decides, and denied names are
 * searched first.
 */
function nameOnLists(common: MandateCommon, mandate: Mandate): string | undefined {
  const { counterparty, aliases } = common.proposal;
  const lists = [...(mandate.counterparties_deny ?? []), ...(mandate.counterparties_allow ?? [])];
  const listed = lists
    .map((entry) => common.names[entry.toLowerCase()] ?? entry)
    .find((e) => aliases.includes(e.toLowerCase()));
  return listed ?? counterparty ?? undefined;
}

function factsOf({ common, facts }: MandateView): MandateFacts {
  const { remaining } = facts;
  return {
    remaining: remaining === null ? null : amounts(remaining),
    sold: amounts(common.sold),
    reservedMicro: BigInt(common.reserved),
    deals: common.deals,
    marketMedianMicro: common.marketMedian == null ? null : BigInt(common.marketMedian),
    faceValueMicro: common.faceValue == null ? null : BigInt(common.faceValue.amount),
    verdicts: common.verdicts,
    names: common.names,
  };
}

function amounts<K extends string>(record: Readonly<Record<K, string>>): Record<K, bigint> {
  return Object.fromEntries(Object.entries<string>(record).map(([k, v]) => [k, BigInt(v)])) as Record<
    K,
    bigint
  >;
}
