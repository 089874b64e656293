import { usable } from '../panel/lists.ts';
import type { Ground } from '../panel/scorecard.ts';
import { DUST_USD, type TransferHistory, type Transfers } from './flows.ts';
import { couldBeTakenFor } from './look-alike.ts';
import { SHARE_AT } from './taint.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';

/** How much of what came in, or went out, reaches listed addresses after 1, 2 and 3 hops. */
type Reached = readonly number[];

/**
 * The same as the check, computed by passing weights on hop by hop: at each hop the weight that arrives at listed
 * addresses is taken out, and what arrives where money is not followed is dropped.
 */
export function transferScore(common: WalletCommon, facts: WalletFacts, at: string) {
  const { transfers } = common;
  if (transfers === undefined) return null;
  const own = common.address.toLowerCase();
  const custodian = transfers.labels.some((l) => l.key === own && /^(?:exchange|bridge)$/.test(l.label));
  const over = custodian
    ? 0
    : transfers.histories.reduce((sum, history) => {
        const reading = facts.chains.find((c) => c.chain === history.chain);
        return sum + overLimit(common, transfers, history, reading);
      }, 0);
  const alike = transfers.histories
    .flatMap((h) => h.poisoned)
    .filter(({ addresses }) => couldBeTakenFor(own, { days: 0, addresses }) > 0).length;
  const known = common.chains.filter((chain) => isKnown(common, facts, chain, at)).length;
  const wanted = common.chains.length;
  return {
    features: [
      {
        name: 'listed-money',
        value: over,
        weight: 60,
        meaning: `${over} ways on which too much of its money comes from, or goes to, listed addresses`,
      },
      {
        name: 'dust-of-a-look-alike',
        value: alike,
        weight: 60,
        meaning: `${alike} addresses that got dust of it deal with somebody of a like address`,
      },
    ],
    coverage: wanted === 0 ? 0 : known / wanted,
    missing: known === wanted ? [] : [`its transfers are not known on ${wanted - known} of ${wanted} chains`],
  };
}

function overLimit(
  common: WalletCommon,
  transfers: Transfers,
  history: TransferHistory,
  reading: ChainReading | undefined,
): number {
  return (['in', 'out'] as const).reduce((sum, way) => {
    const reached = reach(common, transfers, history, reading, way);
    return sum + reached.filter((share, i) => share > 0 && share >= SHARE_AT[way][i]!).length;
  }, 0);
}

function reach(
  common: WalletCommon,
  { listed, labels }: Transfers,
  history: TransferHistory,
  reading: ChainReading | undefined,
  way: 'in' | 'out',
): Reached {
  const own = common.address.toLowerCase();
  const ends = new Set([own, `0x${'0'.repeat(40)}`, ...(common.contracts ?? [])]);
  const kinds = new Map(labels.map((l) => [l.key, l.label]));
  const reached = [0, 0, 0, 0];
  let weights = new Map([[own, 1]]);
  for (let hop = 0; hop < 3; hop++) {
    const next = new Map<string, number>();
    for (const [of, weight] of weights) {
      for (const { address, share, last } of sharesOf(history, reading, of, way, own)) {
        const part = weight * share;
        const hit = listed.some(
          (l) => l.key === address && (way === 'in' || l.since === undefined || l.since <= last),
        );
        if (hit) reached[hop]! += part;
        else if (kinds.get(address) === 'mixer') reached[hop + 1]! += part;
        else if (!kinds.has(address) && !ends.has(address))
          next.set(address, (next.get(address) ?? 0) + part);
      }
    }
    weights = next;
  }
  return reached.slice(0, 3);
}

/** What each counterparty makes up of one address's money; the subject's latest transfers are counted in. */
function sharesOf(
  { flows, nativeDust }: TransferHistory,
  reading: ChainReading | undefined,
  of: string,
  way: 'in' | 'out',
  own: string,
) {
  const held = flows.find((f) => f.of === of && f.way === way);
  const dollars = new Map((held?.parties ?? []).map((p) => [p.address, BigInt(p.usd)]));
  const last = new Map((held?.parties ?? []).map((p) => [p.address, p.last]));
  let total = BigInt(held?.usd ?? 0);
  for (const { from, to, usd } of of === own ? (reading?.tail?.transfers ?? []) : []) {
    const [mine, other] = way === 'in' ? [to, from] : [from, to];
    if (mine !== own || other === own) continue;
    dollars.set(other, (dollars.get(other) ?? 0n) + BigInt(usd));
    last.set(other, '9999');
    total += BigInt(usd);
  }
  const native = new Map((held?.parties ?? []).map((p) => [p.address, BigInt(p.native)]));
  const ratio = (amount: bigint, sum: bigint, dust: bigint): number =>
    amount < dust || sum === 0n ? 0 : Number((amount * 1_000_000n) / sum) / 1_000_000;
  return [...dollars].map(([address, usd]) => ({
    address,
    last: last.get(address)!,
    share: Math.max(
      ratio(usd, total, DUST_USD),
      ratio(native.get(address) ?? 0n, BigInt(held?.native ?? 0), BigInt(nativeDust)),
    ),
  }));
}

/** Whether everything about the transfers on a chain is known and adds up. */
function isKnown(common: WalletCommon, facts: WalletFacts, chain: string, at: string): boolean {
  const history = common.transfers?.histories.find((h) => h.chain === chain);
  const tail = facts.chains.find((c) => c.chain === chain)?.tail;
  if (history === undefined || tail == null || history.fault !== null) return false;
  const own = common.address.toLowerCase();
  const sums = new Map((history.nets ?? []).map((n) => [n.token, BigInt(n.net)]));
  for (const { token, from, to, amount } of tail.transfers) {
    const before = sums.get(token);
    if (before === undefined) continue;
    sums.set(token, before + (to === own ? BigInt(amount) : 0n) - (from === own ? BigInt(amount) : 0n));
  }
  const held = new Map(tail.balances.map((b) => [b.token, BigInt(b.held)]));
  const adds = [...sums].every(([token, sum]) => held.get(token) === sum);
  const dealt = tail.transfers.length + history.flows.length > 0;
  return adds && (!dealt || (usable(common.sanctions, at) && usable(common.knownScam, at)));
}

/** The adversary's grounds: any money at all that leads to a listed address, and any gap. */
export function transferGrounds(
  common: WalletCommon,
  readings: readonly WalletFacts[],
  at: string,
): Ground[] {
  const { transfers } = common;
  if (transfers === undefined) return [];
  const reaches = (history: TransferHistory): boolean =>
    readings.some((facts) => {
      const reading = facts.chains.find((c) => c.chain === history.chain);
      return (['in', 'out'] as const).some((way) =>
        reach(common, transfers, history, reading, way).some((share) => share > 0),
      );
    });
  return [
    {
      holds: transfers.histories.some(reaches),
      says: 'money leads from it to a listed address, or from one to it',
    },
    {
      holds: transfers.histories.some((h) => h.poisoned.length > 0),
      says: 'it sends dust to those who deal with somebody of a like address',
    },
    {
      holds: common.chains.some((chain) => !readings.some((facts) => isKnown(common, facts, chain, at))),
      unread: true,
      says: 'its transfers are not known on every chain',
    },
  ];
}
