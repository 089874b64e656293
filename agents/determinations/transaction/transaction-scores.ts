import type { Feature, Ground } from '../panel/scorecard.ts';
import type { WalletCommon, WalletFacts } from '../wallet/wallet-evidence.ts';
import { decodeCall } from './call-data.ts';
import { effectCounts } from './effect-counts.ts';
import { KNOWN_CONTRACTS } from './known-contracts.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';
import { simulationsIn } from './transaction-result.ts';

/** What the adversary says of the transaction, and the numbers of the statistics. Own code: no rule is called. */
interface Counts {
  readonly listed: number;
  /** Of what the sender holds of an asset: the largest share that leaves, where nothing comes and others gain. */
  readonly share: number;
  readonly powers: number;
  readonly owners: number;
  readonly worse: number;
  readonly unseen: number;
  /** Nobody said who sends it. */
  readonly nobodys: boolean;
  /** What leaves for what is worth nobody knows what, and power over nearly all that is held. None by earlier rules. */
  readonly open: number;
}

function counts(common: WalletCommon, tx: AskedTransaction, seen: Simulation, facts: WalletFacts): Counts {
  const { effects } = common;
  return effects === undefined
    ? earlierCounts(common, tx, seen)
    : { ...earlierCounts(common, tx, seen), ...effectCounts(common, tx, seen, facts) };
}

function earlierCounts(common: WalletCommon, tx: AskedTransaction, seen: Simulation): Counts {
  const hits = new Set([...common.sanctions.hits, ...common.knownScam.hits].map((hit) => hit.key));
  const words = `${tx.to}${tx.data}${JSON.stringify([seen.changes, seen.approvals, seen.owners, seen.parties])}`;
  const listed = [...hits].filter((key) => words.includes(key.replace(/^0x/, ''))).length;
  const own = seen.changes.filter((c) => c.party === tx.from);
  const isGain = own.some((c) => !c.delta.startsWith('-'));
  const others = seen.changes.some(
    (c) => c.party !== tx.from && c.party !== tx.to && !c.delta.startsWith('-'),
  );
  const foreign = own.filter((c) => c.asset.token !== tx.to && tx.data.length > 2);
  const shares = foreign.map((c) =>
    c.asset.kind === 'erc721' || c.asset.kind === 'erc1155'
      ? 1
      : Number(-BigInt(c.delta)) / Math.max(1, Number(BigInt(c.before ?? '0'))),
  );
  const known = (who: string) => KNOWN_CONTRACTS.has(who) || common.contracts?.includes(who) === true;
  const powers = seen.approvals.filter((a) => {
    if (a.owner !== tx.from || a.amount === '0' || known(a.spender)) return false;
    const size = seen.parties.find((p) => p.address === a.spender)?.code.size ?? 0;
    return size <= 23 || a.via === 'operator' || a.amount.length >= 29;
  });
  const decides = seen.owners.filter((o) => o.from === tx.from || o.contract === tx.from);
  return {
    listed,
    share: !isGain && others && !known(tx.to) ? Math.max(0, ...shares.filter((s) => s <= 1)) : 0,
    powers: powers.length,
    owners: decides.filter((o) => o.to !== tx.from).length,
    worse: seen.conditions.reduce((sum, c) => sum + c.worse.length, 0),
    unseen: seen.outcome === 'success' && seen.conditions.every((c) => c.outcome !== 'not-simulated') ? 0 : 1,
    nobodys: tx.assumedSender === 2,
    open: 0,
  };
}

export function transactionScore(
  common: WalletCommon,
  facts: WalletFacts,
): { readonly features: readonly Feature[]; readonly missing: readonly string[] } | null {
  const tx = common.transaction;
  if (tx === undefined) return null;
  const [seen] = simulationsIn([facts]);
  if (seen === undefined) return { features: [], missing: ['the transaction was not simulated'] };
  const n = counts(common, tx, seen, facts);
  const feature = (name: string, value: number, weight: number, meaning: string, hard?: true): Feature => ({
    ...{ name, value, weight, meaning },
    ...(hard === undefined ? {} : { hard }),
  });
  return {
    features: [
      feature('transaction-listed', n.listed, 60, `${n.listed} listed addresses take part`, true),
      feature('transaction-share', n.share >= 0.9 ? 1 : 0, 50, `${Math.round(n.share * 100)} percent leaves`),
      feature('transaction-powers', n.powers, 50, `${n.powers} strangers get power over tokens`),
      feature('transaction-owners', n.owners, 50, `${n.owners} changes of who decides`),
      feature('transaction-worse', n.worse, 50, `${n.worse} things differ from the preview`),
    ],
    missing: [
      ...(n.unseen > 0 ? [`the simulation did not end: ${seen.reason ?? 'a condition was left out'}`] : []),
      ...(n.nobodys ? ['nobody said who sends the transaction'] : []),
      ...(n.open > 0 ? [`${n.open} things leave, or may, for what is worth nobody knows what`] : []),
    ],
  };
}

export function transactionGrounds(common: WalletCommon, readings: readonly WalletFacts[]): Ground[] {
  const tx = common.transaction;
  if (tx === undefined) return [];
  const all = simulationsIn(readings);
  const found = readings.flatMap((facts) =>
    simulationsIn([facts]).map((seen) => counts(common, tx, seen, facts)),
  );
  const any = (of: (n: Counts) => boolean): boolean => found.some(of);
  return [
    { holds: any((n) => n.listed > 0), hard: true, says: 'a listed address takes part in the transaction' },
    { holds: any((n) => n.share >= 0.9), says: 'the transaction takes what the sender holds' },
    { holds: any((n) => n.powers > 0), says: 'the transaction gives a stranger power over tokens' },
    { holds: any((n) => n.owners > 0), says: 'the transaction changes who decides' },
    { holds: any((n) => n.worse > 0), says: 'the transaction does other things than its preview shows' },
    { holds: any((n) => n.nobodys), unread: true, says: 'nobody said who would send the transaction' },
    {
      holds: any((n) => n.open > 0),
      unread: true,
      says: 'what leaves by the transaction, or may, goes for what is worth nobody knows what',
    },
    {
      holds: all.length === 0 || all.every((seen) => seen.outcome !== 'success'),
      unread: true,
      says: `nobody saw what ${decodeCall(tx.data).name ?? 'the transaction'} would do`,
    },
  ];
}
