import { nameOf, netOf } from './compare.ts';
import type { InnerCall } from './inner-calls.ts';
import { wrappedNative } from './known-contracts.ts';
import type { OwnAccount } from './own-accounts.ts';
import { isSpokenFor } from './spoken-calls.ts';
import type { AskedTransaction, Asset, AssetChange, Simulation } from './transaction-evidence.ts';
import type { Moved } from './worth.ts';

/** Most of what somebody holds, in percent: so much leaves by no payment that he thought of. */
const MOST = 90n;

/** What leaves one account of the sender by calls of something else, and who has it afterwards. */
export interface Leaving {
  readonly account: OwnAccount;
  /** What it loses that no token itself was told to send. */
  readonly foreign: readonly Moved[];
  readonly gained: readonly Moved[];
  /** Neither the account, nor the sender, nor what they call: whoever else has more of anything afterwards. */
  readonly others: readonly string[];
  /** Who of them has more of what leaves. */
  readonly takers: readonly string[];
  /** Why so much leaves by no payment that anybody thought of; none where it does not. */
  readonly heavy: readonly string[];
  /** It was not read how much of it is left. */
  readonly unread: boolean;
}

/** What leaves an account of the sender. @param mine the calls that are made in its name */
export function leavingFrom(
  account: OwnAccount,
  {
    tx,
    seen,
    mine,
  }: {
    readonly tx: AskedTransaction;
    readonly seen: Simulation;
    readonly mine: readonly InnerCall[];
  },
): Leaving {
  const { changes } = seen;
  const called = new Set(mine.map(({ to }) => to));
  const home = [account.address, tx.from];
  const net = [...netOf(changes, account.address).values()];
  const lost = net.filter(({ delta }) => delta < 0n);
  // What comes for it may come to the sender.
  const toSender = account.how === 'sender' ? [] : [...netOf(changes, tx.from).values()];
  const gained = [...net, ...toSender].filter(({ delta }) => delta > 0n);
  const foreign = lost.filter((one) => !isSpokenFor(one, mine));
  // What wraps the native currency keeps it for whoever gets its token.
  const wrapped = wrappedNative(tx.chain);
  const aside = (who: string): boolean => called.has(who) || home.includes(who) || who === wrapped;
  const others = [
    ...new Set(changes.filter((c) => BigInt(c.delta) > 0n && !aside(c.party)).map((c) => c.party)),
  ];
  const takers = takersOf(changes, { left: foreign, others, wrapped });
  return {
    ...{ account, foreign, gained, others, takers },
    heavy: heavyIn(changes, account.address, foreign, takers),
    unread: foreign.some((f) => isFungible(f) && beforeOf(changes, account.address, f) === null),
  };
}

const isFungible = ({ asset }: Moved): boolean => asset.kind === 'native' || asset.kind === 'erc20';

/** The native currency and the token that wraps it are one. */
function takersOf(
  changes: readonly AssetChange[],
  {
    left,
    others,
    wrapped,
  }: { readonly left: readonly Moved[]; readonly others: readonly string[]; readonly wrapped: string | null },
): string[] {
  const key = (asset: Asset): string => (asset.token === wrapped ? 'the native currency' : nameOf(asset));
  const keys = new Set(left.map(({ asset }) => key(asset)));
  const taking = changes.filter(
    (c) => BigInt(c.delta) > 0n && others.includes(c.party) && keys.has(key(c.asset)),
  );
  return [...new Set(taking.map((c) => c.party))];
}

function heavyIn(
  changes: readonly AssetChange[],
  party: string,
  foreign: readonly Moved[],
  taken: readonly string[],
): string[] {
  const to = taken.join(', ');
  const collected = foreign.filter((f) => !isFungible(f));
  const whole = foreign.filter((f) => {
    const before = beforeOf(changes, party, f);
    return before !== null && before > 0n && -f.delta * 100n >= before * MOST;
  });
  return [
    ...(foreign.length > 1 ? [`${foreign.length} assets leave for ${to}`] : []),
    ...(collected.length > 0 ? [`${collected.map(({ asset }) => nameOf(asset)).join(', ')} leaves`] : []),
    ...whole.map(({ asset }) => `nearly all of ${nameOf(asset)} leaves for ${to}`),
  ];
}

function beforeOf(changes: readonly AssetChange[], party: string, { asset }: Moved): bigint | null {
  const own = changes.find(
    (c) => c.party === party && c.asset.kind === asset.kind && c.asset.token === asset.token,
  );
  return own?.before == null ? null : BigInt(own.before);
}
