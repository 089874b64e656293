import type { AdversaryVersion } from '../../panel/judging.ts';
import type { Feature, Ground } from '../../panel/scorecard.ts';
import type { WalletCommon, WalletFacts } from '../wallet-evidence.ts';
import { codesRead } from './codes-read.ts';
import { KNOWN_SKELETONS } from './known-skeletons.ts';

/** What the adversary and the statistics say of codes, in numbers of their own: no rule is called. */
interface Counts {
  /** Codes that a list names. */
  readonly named: number;
  /** Codes of which at least half of their kind is listed. */
  readonly mostly: number;
  /** Codes of which anything of their kind is listed. */
  readonly any: number;
  readonly changed: number;
  readonly gone: number;
}

const NONE: Counts = { named: 0, mostly: 0, any: 0, changed: 0, gone: 0 };

function counts({ codes, address }: WalletCommon, { chains }: WalletFacts): Counts {
  if (codes === undefined) return NONE;
  const bad = new Set(codes.entries.flatMap((e) => (e.list.startsWith('listed-code/') ? [e.key] : [])));
  const good = new Set([
    ...codes.entries.flatMap((e) => (e.list.startsWith('known-code/') ? [e.key] : [])),
    ...KNOWN_SKELETONS.keys(),
  ]);
  const share = new Map(
    codes.alike.map((a) => [a.skeleton, { keys: new Set(a.listed.map((l) => l.key)), others: a.others }]),
  );
  return chains
    .flatMap((c) => codesRead(address, c).map((read) => ({ ...read, chain: c.chain })))
    .reduce((sum, { chain, address: at, hash, skeleton }): Counts => {
      const keys = [hash, skeleton].filter((key) => key !== null);
      const kind = skeleton === null || keys.some((key) => good.has(key)) ? undefined : share.get(skeleton);
      const listed = kind === undefined ? 0 : kind.keys.size - (kind.keys.has(at) ? 1 : 0);
      const earlier = codes.before.some((b) => b.chain === chain && b.address === at && b.hash !== hash);
      return {
        named: sum.named + (keys.some((key) => bad.has(key)) ? 1 : 0),
        mostly: sum.mostly + (kind !== undefined && listed > 0 && listed / kind.others >= 0.5 ? 1 : 0),
        any: sum.any + (listed > 0 ? 1 : 0),
        changed: sum.changed + (earlier && hash !== null ? 1 : 0),
        gone: sum.gone + (earlier && hash === null ? 1 : 0),
      };
    }, NONE);
}

export function codeScore(
  common: WalletCommon,
  facts: WalletFacts,
): { readonly features: readonly Feature[]; readonly missing: readonly string[] } {
  const n = counts(common, facts);
  if (common.codes === undefined) return { features: [], missing: [] };
  const feature = (name: string, value: number, meaning: string, hard?: true): Feature => ({
    ...{ name, value, weight: 60, meaning },
    ...(hard === undefined ? {} : { hard }),
  });
  return {
    features: [
      feature('listed-codes', n.named, `lists name ${n.named} codes`, true),
      feature('skeletons-of-listed', n.mostly, `most contracts with ${n.mostly} of the skeletons are listed`),
      feature('changed-codes', n.changed, `${n.changed} contracts have another code than before`),
    ],
    missing: n.gone > 0 ? [`${n.gone} contracts are gone`] : [],
  };
}

/** From version 2 on a template that some listed contract shares is no ground, and code that is gone is a gap. */
export function codeGrounds(
  common: WalletCommon,
  readings: readonly WalletFacts[],
  version: AdversaryVersion,
): Ground[] {
  const all = readings.map((facts) => counts(common, facts));
  const any = (of: (n: Counts) => number): boolean => all.some((n) => of(n) > 0);
  return [
    { holds: any((n) => n.named), hard: true, says: 'a list names its code' },
    version === 1
      ? { holds: any((n) => n.any), says: 'a listed contract has its code but for constants' }
      : { holds: any((n) => n.mostly), says: 'most contracts with its code but for constants are listed' },
    {
      holds: any((n) => n.changed + (version === 1 ? n.gone : 0)),
      says: 'a contract was destroyed, or replaced',
    },
    { holds: version !== 1 && any((n) => n.gone), unread: true, says: 'a contract is gone' },
  ];
}
