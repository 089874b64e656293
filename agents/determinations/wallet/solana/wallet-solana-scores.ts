import type { AdversaryVersion } from '../../panel/judging.ts';
import type { Feature, Ground } from '../../panel/scorecard.ts';
import type { WalletCommon, WalletFacts } from '../wallet-evidence.ts';

interface SolanaScore {
  readonly features: readonly Feature[];
  /** 1 if Solana was read, 0 if it was not. */
  readonly coverage: number;
  readonly missing: readonly string[];
}

const STILL_MS = 600_000;

/** The numeric features of a Solana address. Null when Solana was not asked. */
export function solanaScore(common: WalletCommon, facts: WalletFacts, at: string): SolanaScore | null {
  if (common.solana === undefined) return null;
  const reading = facts.solana;
  const shape = reading?.account?.is;
  const tokens = [...(shape?.kind === 'token-account' ? [shape] : []), ...(reading?.holdings ?? [])];
  const hits = new Set([...common.sanctions.hits, ...common.knownScam.hits].map((h) => h.key));
  const others = authorities(facts);
  const listed = others.filter((a) => hits.has(a)).length;
  const unlooked = others.filter(
    (a) => ![common.sanctions, common.knownScam].every((r) => r.lookedUp.includes(a)),
  ).length;
  const age = Date.parse(at) - Date.parse(reading?.at ?? '');
  const unread =
    reading === undefined || reading.fault !== null || reading.slot === null || !(age <= STILL_MS);
  const lost = reading?.onCurve !== true && reading?.account === null;
  const odd = shape?.kind === 'unknown';
  const count = (name: string, value: number, weight: number, meaning: string, hard = false): Feature => ({
    name,
    value,
    weight,
    meaning,
    hard,
  });
  const frozen = tokens.filter((t) => t.frozen).length;
  const delegated = tokens.filter((t) => t.delegate !== null).length;
  const instead = shape?.kind === 'token-account' || shape?.kind === 'mint' ? 1 : 0;
  return {
    features: [
      count('solana-listed-parties', listed, 60, `${listed} listed addresses can act in its name`, true),
      count('solana-frozen', frozen, 60, `${frozen} of its ${tokens.length} token accounts are frozen`, true),
      count('solana-not-a-wallet', instead, 60, `${instead} token accounts or mints in place of a wallet`),
      count('solana-delegates', delegated, 5, `${delegated} of its token accounts have a delegate`),
      count('solana-program', shape?.kind === 'program' ? 1 : 0, 10, 'a program in place of a wallet'),
    ],
    coverage: unread || lost || odd || unlooked > 0 ? 0 : 1,
    missing: [
      ...(unread ? ['Solana could not be read, or only as it was'] : []),
      ...(lost && !unread ? ['nobody is seen to control it'] : []),
      ...(odd ? ['the account has a form that is not known'] : []),
      ...(unlooked > 0 ? [`${unlooked} addresses that can act in its name were not looked up`] : []),
    ],
  };
}

/** The adversary's grounds against a Solana address. */
export function solanaGrounds(
  common: WalletCommon,
  readings: readonly WalletFacts[],
  at: string,
  version: AdversaryVersion,
): readonly Ground[] {
  if (common.solana === undefined) return [];
  const read = readings.map((r) => r.solana).filter((s) => s !== undefined && s.fault === null);
  const fresh = read.some((s) => Date.parse(at) - Date.parse(s?.at ?? '') <= STILL_MS);
  const shapes = read.map((s) => s?.account?.is);
  const tokens = [
    ...shapes.flatMap((is) => (is?.kind === 'token-account' ? [is] : [])),
    ...read.flatMap((s) => s?.holdings ?? []),
  ];
  return [
    { holds: !fresh, unread: true, says: 'Solana was read by nobody, or only as it was' },
    {
      holds: shapes.some((is) => is?.kind === 'unknown'),
      unread: true,
      says: 'the account has a form that is not known',
    },
    { holds: tokens.some((t) => t.frozen), hard: true, says: 'an issuer has frozen a token account of it' },
    {
      holds: shapes.some((is) => is?.kind === 'token-account' || is?.kind === 'mint'),
      says: 'a token account or a mint stands in place of a wallet',
    },
    // Programs, delegates and accounts of programs are disclosed; in evidence of earlier releases this keeps the votes.
    ...(version === 1
      ? [
          {
            holds: shapes.some((is) => is?.kind === 'program'),
            says: 'a program stands in place of a wallet',
          },
          { holds: tokens.some((t) => t.delegate !== null), says: 'another may move its tokens (delegate)' },
          { holds: read.some((s) => s?.onCurve === false), says: 'no key can sign for it' },
        ]
      : []),
  ];
}

/** Everybody besides the holder of the key who can act, collected without the rules' own table. */
function authorities({ solana }: WalletFacts): string[] {
  const shape = solana?.account?.is;
  const tokens = [...(shape?.kind === 'token-account' ? [shape] : []), ...(solana?.holdings ?? [])];
  const all = [
    ...(shape?.kind === 'program' ? [shape.authority] : []),
    ...(shape?.kind === 'token-account' ? [shape.holder] : []),
    ...(shape?.kind === 'mint' ? [shape.mintAuthority, shape.freezeAuthority] : []),
    ...(shape?.kind === 'multisig' ? (shape.signers ?? []) : []),
    ...(shape?.kind === 'nonce' ? [shape.authority] : []),
    ...(shape?.kind === 'stake' ? [shape.staker, shape.withdrawer] : []),
    ...tokens.flatMap((t) => [t.delegate, t.closeAuthority]),
  ];
  return [...new Set(all.filter((a) => a !== null))];
}
