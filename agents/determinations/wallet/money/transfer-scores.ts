import { NOBODY } from '../../../ids.ts';
import type { AdversaryVersion } from '../../panel/judging.ts';
import { usable } from '../../panel/lists.ts';
import type { Ground } from '../../panel/scorecard.ts';
import type { ChainReading, WalletCommon, WalletFacts } from '../wallet-evidence.ts';
import { DUST_USD, type TransferHistory, type Transfers } from './flows.ts';
import { dustScore } from './poisoning.ts';
import { CENT, SHARE_AT, UNASKED_USD } from './taint.ts';

/** Of what came in, or went out: how much reaches listed addresses. */
interface Reached {
  /** As a share, after 1, 2 and 3 hops. */
  readonly shares: readonly number[];
  /** In dollars, over all of these hops, and of the whole. */
  readonly dollars: number;
  readonly total: number;
}

/**
 * The same as the check, computed by passing weights on hop by hop: at each hop the weight that arrives at listed
 * addresses is taken out, and what arrives where money is not followed is dropped.
 */
export function transferScore(common: WalletCommon, facts: WalletFacts, at: string) {
  const { transfers } = common;
  if (transfers === undefined) return null;
  const own = common.address.toLowerCase();
  const over = isCustodian(transfers, own)
    ? 0
    : transfers.histories.reduce((sum, history) => {
        const reading = facts.chains.find((c) => c.chain === history.chain);
        return sum + overLimit(common, transfers, { history, reading });
      }, 0);
  const alike = transfers.histories.reduce((sum, h) => sum + dustScore(own, h).alike, 0);
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

/** What was read of one chain. */
interface OnChain {
  readonly history: TransferHistory;
  readonly reading: ChainReading | undefined;
  /** Whoever was not looked at whole counts as a listed address one hop further away. */
  readonly suspicious?: boolean;
}

function overLimit(common: WalletCommon, transfers: Transfers, on: OnChain): number {
  const { history } = on;
  const [into, out] = (['in', 'out'] as const).map((way) => reach(common, transfers, on, way)) as [
    Reached,
    Reached,
  ];
  const over = ({ shares }: Reached, way: 'in' | 'out'): number =>
    shares.filter((share, i) => share > 0 && share >= SHARE_AT[way][i]!).length;
  const known = history.cutOff === null && history.fault === null;
  const isSpent = known && out.total - (into.total - into.dollars) > CENT;
  return over(out, 'out') + (isSpent || into.dollars >= UNASKED_USD ? over(into, 'in') : 0);
}

function reach(
  common: WalletCommon,
  { listed, labels }: Transfers,
  { history, reading, suspicious = false }: OnChain,
  way: 'in' | 'out',
): Reached {
  const own = common.address.toLowerCase();
  const ends = new Set([own, NOBODY, ...(common.contracts ?? [])]);
  const kinds = new Map(labels.map((l) => [l.key, l.label]));
  const cut = new Set(history.flows.filter((f) => f.way === way && f.cut === true).map((f) => f.of));
  const isHidden = (who: string): boolean => suspicious && cut.has(who) && !kinds.has(who) && !ends.has(who);
  const reached = [0, 0, 0, 0];
  const start = sharesOf(history, reading, own, way, own);
  let dollars = 0;
  let weights = new Map([[own, { part: 1, worth: 0 }]]);
  for (let hop = 0; hop < 3; hop++) {
    const next = new Map<string, { part: number; worth: number }>();
    for (const [of, weight] of weights) {
      const { parties } = hop === 0 ? start : sharesOf(history, reading, of, way, own);
      for (const { address, share, last, dollars: sum } of parties) {
        const [part, worth] = [weight.part * share, hop === 0 ? sum : weight.worth * share];
        const hit = listed.some(
          (l) => l.key === address && (way === 'in' || l.since === undefined || l.since <= last),
        );
        if (hit || ((kinds.get(address) === 'mixer' || isHidden(address)) && hop < 2)) {
          reached[hit ? hop : hop + 1]! += part;
          dollars += part > 0 ? worth : 0;
        } else if (!kinds.has(address) && !ends.has(address)) {
          const before = next.get(address);
          next.set(address, { part: (before?.part ?? 0) + part, worth: (before?.worth ?? 0) + worth });
        }
      }
    }
    weights = next;
  }
  return { shares: reached.slice(0, 3), dollars, total: start.dollars };
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
  const sums = new Map(
    (held?.parties ?? []).map((p) => [p.address, [BigInt(p.usd), BigInt(p.native)] as const]),
  );
  const last = new Map((held?.parties ?? []).map((p) => [p.address, p.last]));
  let [usdTotal, nativeTotal] = [BigInt(held?.usd ?? 0), BigInt(held?.native ?? 0)];
  for (const { from, to, usd, token, amount } of of === own ? (reading?.tail?.transfers ?? []) : []) {
    const [mine, other] = way === 'in' ? [to, from] : [from, to];
    if (mine !== own || other === own) continue;
    const wei = token === null ? BigInt(amount) : 0n;
    const [before, nativeBefore] = sums.get(other) ?? [0n, 0n];
    sums.set(other, [before + BigInt(usd), nativeBefore + wei]);
    last.set(other, '9999');
    usdTotal += BigInt(usd);
    nativeTotal += wei;
  }
  const dust = BigInt(nativeDust);
  const ratio = (amount: bigint, sum: bigint, least: bigint): number =>
    amount < least || sum === 0n ? 0 : Number((amount * 1_000_000n) / sum) / 1_000_000;
  const worth = (usd: bigint, native: bigint): number =>
    Number(usd) / Number(DUST_USD) + (dust === 0n ? 0 : Number(native) / Number(dust));
  const parties = [...sums].map(([address, [usd, native]]) => ({
    ...{ address, last: last.get(address)!, dollars: worth(usd, native) },
    share: Math.max(ratio(usd, usdTotal, DUST_USD), ratio(native, nativeTotal, dust)),
  }));
  return { parties, dollars: worth(usdTotal, nativeTotal) };
}

/** Whether everything about the transfers on a chain is known and adds up. */
function isKnown(common: WalletCommon, facts: WalletFacts, chain: string, at: string): boolean {
  const history = common.transfers?.histories.find((h) => h.chain === chain);
  const reading = facts.chains.find((c) => c.chain === chain);
  const tail = reading?.tail;
  if (history === undefined || tail == null || history.fault !== null) return false;
  if (hidesNative(history, reading!)) return false;
  const own = common.address.toLowerCase();
  if (history.partial === true && !isCustodian(common.transfers!, own)) return false;
  if (dustScore(own, history).open || isUnseen(common, history, reading)) return false;
  const sums = new Map((history.nets ?? []).map((n) => [n.token, BigInt(n.net)]));
  for (const { token, from, to, amount } of tail.transfers) {
    const before = token === null ? undefined : sums.get(token);
    if (token === null || before === undefined) continue;
    sums.set(token, before + (to === own ? BigInt(amount) : 0n) - (from === own ? BigInt(amount) : 0n));
  }
  const held = new Map(tail.balances.map((b) => [b.token, BigInt(b.held)]));
  const adds = [...sums].every(([token, sum]) => held.get(token) === sum);
  const dealt = tail.transfers.length + history.flows.length > 0;
  return adds && (!dealt || (usable(common.sanctions, at) && usable(common.knownScam, at)));
}

function isCustodian({ labels }: Transfers, own: string): boolean {
  return labels.some((l) => l.key === own && /^(?:exchange|bridge)$/.test(l.label));
}

/** Whether too much of its money moved by way of addresses that were not looked at whole. */
function isUnseen(
  common: WalletCommon,
  history: TransferHistory,
  reading: ChainReading | undefined,
): boolean {
  const transfers = common.transfers!;
  const own = common.address.toLowerCase();
  if (!history.flows.some((f) => f.cut === true)) return false;
  if (isCustodian(transfers, own)) return false;
  return overLimit(common, transfers, { history, reading, suspicious: true }) > 0;
}

/** Whether what a source tells of the native currency cannot be so, by what this seat read of the account. */
function hidesNative({ native }: TransferHistory, { balance, nonce, code }: ChainReading): boolean {
  if (native === undefined || balance === null || nonce === null || code === null) return false;
  const [net, held] = [BigInt(native.net), BigInt(balance)];
  const unsent = code.size === 0 && nonce - native.sent > 0;
  return held > net || unsent || (code.size === 0 && nonce === 0 && net !== held);
}

/**
 * The adversary's grounds on money: from version 2 on as much of it as counts, and before that any at all that leads to a
 * listed address; and any gap.
 */
export function transferGrounds(
  common: WalletCommon,
  readings: readonly WalletFacts[],
  at: string,
  version: AdversaryVersion,
): Ground[] {
  const { transfers } = common;
  if (transfers === undefined) return [];
  const reaches = (history: TransferHistory): boolean =>
    readings.some((facts) => {
      const reading = facts.chains.find((c) => c.chain === history.chain);
      return (['in', 'out'] as const).some((way) =>
        reach(common, transfers, { history, reading }, way).shares.some((share) => share > 0),
      );
    });
  const scores = readings.map((facts) => transferScore(common, facts, at)?.features ?? []);
  const scored = (name: string): boolean =>
    scores.some((features) => features.some((f) => f.name === name && f.value > 0));
  return [
    {
      holds: version === 1 ? transfers.histories.some(reaches) : scored('listed-money'),
      says: 'money leads from it to a listed address, or from one to it',
      facts: transfers.listed.map(({ key, list }) => `${key} is on ${list}`),
    },
    {
      holds:
        version === 1
          ? transfers.histories.some((h) => (h.poisoned ?? []).length > 0)
          : scored('dust-of-a-look-alike'),
      says: 'it sends dust to those who deal with somebody of a like address',
    },
    {
      holds: common.chains.some((chain) => !readings.some((facts) => isKnown(common, facts, chain, at))),
      unread: true,
      says: 'its transfers are not known on every chain',
    },
  ];
}
