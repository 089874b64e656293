import { NOBODY } from '../../../ids.ts';
import { check } from '../../panel/judging.ts';
import { listSources, usable } from '../../panel/lists.ts';
import type { Check, Source } from '../../panel/types.ts';
import type { ChainReading, WalletCommon } from '../wallet-evidence.ts';
import { type Finding, type WalletView, worstOf } from '../wallet-findings.ts';
import { flowParties, type Label, type TransferHistory, type Transfers, withTail } from './flows.ts';
import { nativeGap } from './native-sum.ts';
import { type Follow, hasSpent, leads, type Weighed, weigh } from './taint.ts';

const NAMED = 3;

/** Labels whose holders pass on what belongs to their customers. */
const CUSTODIANS: readonly Label[] = ['exchange', 'bridge'];

/**
 * Checks where the money of the address came from and went, over three hops, by value. Dust counts for nothing, and
 * a few dollars only count once they are spent. It is a hard flag, because others are listed and not the address itself.
 */
export function transfersCheck(view: WalletView, transfers: Transfers): Check {
  const findings = view.common.chains.map((chain) => onChain(view, transfers, chain));
  const worst = worstOf(findings)?.outcome ?? 'PASS';
  const said = findings.filter((f) => worst === 'PASS' || f.outcome !== 'PASS').map((f) => f.says);
  const sources = [
    ...transfers.histories.map((h) => sourceOf(h, view.at)),
    ...[view.common.sanctions, view.common.knownScam].flatMap((r) => listSources(r, view.at)),
    ...(transfers.labelLists ?? []).map(({ name, asOf, excuses }) => ({
      ...{ name, asOf: asOf ?? view.at },
      limit: excuses
        ? 'what an address is known as'
        : 'undated or too old: says who mixes, and excuses nobody',
    })),
  ];
  return check('transfers', worst, said.join('; '), sources);
}

/** A history as a source, with its limits. */
export function sourceOf(history: TransferHistory, at: string): Source {
  const { chain, source, fromBlock, toBlock, hops, cutOff } = history;
  const blocks = fromBlock === null ? 'no history' : `blocks ${fromBlock} to ${toBlock}`;
  const limits = [
    `${blocks}, ${hops} hops; dollar tokens and native currency`,
    'nothing that contracts pass on within a transaction, where no explorer lists it',
    ...(cutOff === null ? [] : [cutOff]),
  ];
  return { name: `${source}, ${chain}`, asOf: at, limit: limits.join('; ') };
}

function onChain(view: WalletView, transfers: Transfers, chain: string): Finding {
  const gap = gapOn(view, transfers, chain);
  const history = transfers.histories.find((h) => h.chain === chain);
  const reading = view.facts.chains.find((c) => c.chain === chain);
  if (history === undefined) return gap ?? { outcome: 'INCONCLUSIVE', says: `${chain} has no history` };
  const label = custodianLabel(transfers, keyOf(view.common));
  if (label !== null)
    return { outcome: 'PASS', says: `it is labelled ${label} on ${chain}: what passes is its customers'` };
  const followed = follow(view.common, transfers, history, reading);
  const led = leads(followed);
  const weighed = weigh(led, hasSpent(followed, led));
  const against = weighed.filter((w) => w.counts);
  // What is found counts, whatever else could not be read.
  if (against.length > 0) return { outcome: 'FLAG', says: `${against.map(wordsOf).join(', ')} on ${chain}` };
  if (gap !== null) return gap;
  const unseen = unseenOn(followed, chain);
  if (unseen !== null) return unseen;
  const told =
    weighed.length === 0
      ? ''
      : ` (${weighed.map(wordsOf).join(', ')}: too little to count, or not asked for and not spent)`;
  const beyond = history.cutOff === null ? '' : `; ${history.cutOff}`;
  const parties = flowParties([history], reading?.tail ? [reading.tail] : []).length;
  return {
    outcome: 'PASS',
    says: `no money of a listed address among ${parties} on ${chain}${told}${beyond}`,
  };
}

/** The label of an address whose holders pass on what belongs to their customers; null of any other. */
export function custodianLabel(transfers: Transfers, key: string): Label | null {
  const label = labelsOf(transfers).get(key);
  return label !== undefined && CUSTODIANS.includes(label) ? label : null;
}

/** What would count if all that was not looked at led to listed addresses; null where even that would not. */
function unseenOn(followed: Follow, chain: string): Finding | null {
  const suspected = leads({ ...followed, suspicious: true });
  if (!weigh(suspected, hasSpent(followed, suspected)).some((w) => w.counts)) return null;
  const cut = new Set(followed.flows.filter((f) => f.cut === true).map((f) => `${f.way}:${f.of}`));
  const named = suspected.filter((lead) => cut.has(`${lead.way}:${lead.address}`));
  const who = [...new Set(named.map((lead) => lead.address))].sort();
  const more = who.length > NAMED ? ` and ${who.length - NAMED} more` : '';
  return {
    outcome: 'INCONCLUSIVE',
    says: `much of its money on ${chain} moved by way of ${who.slice(0, NAMED).join(', ')}${more}, of whose transfers there are more than were looked at`,
  };
}

function wordsOf({ way, distance, share, addresses }: Weighed): string {
  const percent = share > 0 && share < 0.01 ? 'below 1' : String(Math.round(share * 100));
  const more = addresses.length > NAMED ? ` and ${addresses.length - NAMED} more` : '';
  const who = `${addresses.slice(0, NAMED).join(', ')}${more}`;
  const moved = way === 'in' ? 'came from' : 'went to';
  return `${percent} percent of what ${way === 'in' ? 'came in' : 'went out'} ${moved} ${who} at distance ${distance}`;
}

/** What could not be read on a chain; null when everything was. */
function gapOn({ common, facts, at }: WalletView, transfers: Transfers, chain: string): Finding | null {
  const history = transfers.histories.find((h) => h.chain === chain);
  const reading = facts.chains.find((c) => c.chain === chain);
  const says = (why: string): Finding => ({ outcome: 'INCONCLUSIVE', says: why });
  if (reading?.tail == null)
    return says(`the transfers on ${chain} could not be read: ${reading?.fault ?? 'no reading'}`);
  if (history === undefined) return says(`the transfers on ${chain} have no source`);
  if (history.fault !== null) return says(`${history.source} on ${chain}: ${history.fault}`);
  const off = unbalanced(history, reading.tail, keyOf(common));
  if (off !== null)
    return says(
      `the transfers of ${off} that ${history.source} lists do not add up to the balance on ${chain}`,
    );
  const hidden = nativeGap(history, reading);
  if (hidden !== null) return says(`${history.source} on ${chain} ${hidden}`);
  if (history.partial === true)
    return says(`${history.cutOff} on ${chain}, and what it leaves out may be a listed address's`);
  const parties = flowParties([history], [reading.tail]);
  const fresh = [common.sanctions, common.knownScam].every((r) => usable(r, at));
  return fresh || parties.length === 0
    ? null
    : says(`those with whom it dealt on ${chain} could not be looked up on fresh lists`);
}

/** The first token of which the transfers do not make the balance: one is missing, or one was made up. */
function unbalanced(
  { nets }: TransferHistory,
  { transfers, balances }: NonNullable<ChainReading['tail']>,
  who: string,
): string | null {
  const wrong = (nets ?? []).find(({ token, net }) => {
    const held = balances.find((b) => b.token === token)?.held;
    if (held === undefined) return true;
    const latest = transfers.filter((t) => t.token === token && t.from !== t.to);
    const tail = latest.reduce((sum, t) => sum + BigInt(t.amount) * (t.to === who ? 1n : -1n), 0n);
    return BigInt(net) + tail !== BigInt(held);
  });
  return wrong?.token ?? null;
}

function follow(
  common: WalletCommon,
  transfers: Transfers,
  history: TransferHistory,
  reading: ChainReading | undefined,
): Follow {
  const who = keyOf(common);
  return {
    who,
    flows: withTail(history, reading?.tail, who, '9999-12-31T00:00:00.000Z'),
    listed: transfers.listed,
    labels: labelsOf(transfers),
    through: new Set([NOBODY, ...(common.contracts ?? [])]),
    nativeDust: BigInt(history.nativeDust),
    whole: history.cutOff === null && history.fault === null,
  };
}

function labelsOf({ labels }: Transfers): ReadonlyMap<string, Label> {
  return new Map(labels.map(({ key, label }) => [key, label]));
}

function keyOf({ address }: WalletCommon): string {
  return address.toLowerCase();
}
