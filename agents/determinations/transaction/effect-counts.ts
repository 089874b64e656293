import type { WalletCommon, WalletFacts } from '../wallet/wallet-evidence.ts';
import { MULTISENDS, unfolded } from './inner-calls.ts';
import { KNOWN_CONTRACTS, wrappedNative } from './known-contracts.ts';
import { type OwnAccount, ownAccounts } from './own-accounts.ts';
import { appliedIn, isSpokenFor } from './spoken-calls.ts';
import type { AskedTransaction, AssetChange, Simulation } from './transaction-evidence.ts';

/** The numbers of the statistics for every account that the sender decides over. Own code: no rule is called. */
interface EffectCounts {
  readonly share: number;
  readonly powers: number;
  readonly owners: number;
  readonly open: number;
}

export function effectCounts(
  common: WalletCommon,
  tx: AskedTransaction,
  seen: Simulation,
  facts: WalletFacts,
): EffectCounts {
  const own = ownAccounts(common, tx, seen, facts);
  const { calls, unread } = unfolded(tx);
  const losses = own.map((account) => lossOf(account, { common, tx, seen }));
  const powers = powersIn(common, tx, seen, own);
  const addresses = own.map(({ address }) => address);
  const decides = seen.owners.filter(
    (o) => (o.from !== null && addresses.includes(o.from)) || addresses.includes(o.contract),
  );
  const asItself = calls.filter(({ to, delegated }) => delegated && !MULTISENDS.has(to));
  return {
    share: Math.max(0, ...losses.map((loss) => loss.share)),
    powers: powers.given,
    owners: decides.filter((o) => o.to !== tx.from).length + asItself.length,
    open: losses.reduce((sum, loss) => sum + loss.open, 0) + powers.open + (unread ? 1 : 0),
  };
}

interface Judged {
  readonly common: WalletCommon;
  readonly tx: AskedTransaction;
  readonly seen: Simulation;
}

const NOTHING = { share: 0, open: 0 };

/** The largest share that is taken, and what is taken for something of which nobody knows the worth. */
function lossOf(account: OwnAccount, { common, tx, seen }: Judged): typeof NOTHING {
  const mine = unfolded(tx).calls.filter((call) => call.account === account.address);
  const called = new Set(mine.map(({ to }) => to));
  const of = (party: string) => seen.changes.filter((c) => c.party === party);
  const left = of(account.address).filter(
    (c) => isLess(c) && !isSpokenFor({ asset: c.asset, delta: BigInt(c.delta) }, mine),
  );
  const came = [...of(account.address), ...of(tx.from)].filter((c) => !isLess(c) && sizeOf(c) >= 1e-6);
  const apart = (who: string) => who !== account.address && who !== tx.from && !called.has(who);
  const wrapped = wrappedNative(tx.chain);
  const others = seen.changes.filter((c) => !isLess(c) && apart(c.party) && c.party !== wrapped);
  const key = ({ asset }: AssetChange) =>
    asset.token === wrapped ? 'null null' : `${asset.token} ${asset.tokenId}`;
  const takers = others.filter((c) => left.some((l) => key(l) === key(c)));
  const shares = left.map(shareOf);
  const isHeavy = left.length > 1 || shares.some((share) => !(share < 0.9));
  const applied = appliedIn(mine);
  const known = (who: string) => KNOWN_CONTRACTS.has(who) || common.contracts?.includes(who) === true;
  const share = Math.max(0, ...shares.filter((one) => one <= 1));
  const judged = (isTaken: boolean): typeof NOTHING => {
    if (!isHeavy || !isTaken) return NOTHING;
    return account.how === 'told' || !shares.some((one) => one >= 0.9)
      ? { share: 0, open: 1 }
      : { share, open: 0 };
  };
  if (applied.length > 0 && applied.every(({ to, delegated }) => !delegated && known(to))) {
    if (left.length === 0 || came.length > 0 || others.length === 0) return NOTHING;
    const isForAsked = others.every((c) => c.party === common.address.toLowerCase() || !isGainAlone(c, seen));
    const isToKey = others.some((c) => isGainAlone(c, seen) && isKey(c.party, seen));
    if (isHeavy && isToKey) return judged(true);
    return !isHeavy && isForAsked ? NOTHING : { share: 0, open: 1 };
  }
  const receipts = new Set(came.map((c) => c.asset.token));
  const isTaken = takers.some((c) => !receipts.has(c.party));
  if (came.length === 0) return judged(isTaken);
  const things = left.filter((c) => !isMoney(c, common, { wrapped, least: 0 }));
  // One thing of unknown worth may be sold for a sum that is no crumb; several are compared with no price.
  const least = things.length === 0 ? 1 : 50;
  const isPaid = things.length < 2 && came.some((c) => isMoney(c, common, { wrapped, least }));
  return isTaken && isHeavy && !isPaid ? { share: 0, open: 1 } : NOTHING;
}

const isLess = ({ delta }: AssetChange): boolean => delta.startsWith('-');

/** In whole units, roughly. */
function sizeOf({ asset, delta }: AssetChange): number {
  if (asset.kind === 'erc721' || asset.kind === 'erc1155') return 1;
  return Math.abs(Number(delta)) / 10 ** (asset.kind === 'native' ? 18 : (asset.decimals ?? 9));
}

/** Not a number where it is not known. */
function shareOf({ asset, delta, before }: AssetChange): number {
  if (asset.kind === 'erc721' || asset.kind === 'erc1155') return 1;
  return before === null ? Number.NaN : -Number(delta) / Math.max(1, Number(before));
}

/** @param least in dollars, or in thousandths of the native currency */
function isMoney(
  change: AssetChange,
  { tokens = [] }: WalletCommon,
  { wrapped, least }: { readonly wrapped: string | null; readonly least: number },
): boolean {
  const { kind, token } = change.asset;
  if (kind === 'native' || (token !== null && token === wrapped)) return sizeOf(change) >= least / 1e3;
  return tokens.some((t) => t.token === token) && sizeOf(change) >= least;
}

function isGainAlone({ party }: AssetChange, { changes }: Simulation): boolean {
  return !changes.some((c) => c.party === party && isLess(c));
}

/** Of what nothing was read, too. */
function isKey(who: string, { parties }: Simulation): boolean {
  const code = parties.find((p) => p.address === who)?.code;
  return code === undefined || code.size === 0 || code.head.startsWith('0xef0100');
}

function powersIn(
  { contracts = [] }: WalletCommon,
  tx: AskedTransaction,
  seen: Simulation,
  own: readonly OwnAccount[],
): { readonly given: number; readonly open: number } {
  const strangers = seen.approvals.filter(
    (a) =>
      a.amount !== '0' &&
      !KNOWN_CONTRACTS.has(a.spender) &&
      !contracts.includes(a.spender) &&
      a.spender !== tx.from,
  );
  const how = (owner: string) => own.find((o) => o.address === owner)?.how;
  const given = strangers.filter(
    (a) =>
      how(a.owner) !== undefined && (isKey(a.spender, seen) || a.via === 'operator' || a.amount.length >= 29),
  );
  const most = strangers.filter(
    (a) =>
      how(a.owner) !== undefined &&
      !given.includes(a) &&
      (a.via === 'token' ||
        a.held === undefined ||
        (a.held !== '0' && Number(a.amount) >= 0.9 * Number(a.held))),
  );
  const sure = given.filter((a) => how(a.owner) !== 'told');
  return { given: sure.length, open: given.length - sure.length + most.length };
}
