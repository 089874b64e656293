import type { Finding, WalletView } from '../wallet/wallet-findings.ts';
import { powerOf, strangerTo, unknownEffects } from './approvals.ts';
import { decodeCall, intendedApproval, intendedRecipient, isBait } from './call-data.ts';
import { nameOf, netOf, recipientsOf } from './compare.ts';
import { isKnown } from './known-contracts.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';

/**
 * The rules by which the effects of a transaction were judged before `effects: 2`: for the sender alone. They stay as they
 * were, so that evidence of earlier releases is judged as it was.
 */

/** Most of what somebody holds, in percent: so much leaves by no payment that he thought of. */
const MOST = 90n;

/**
 * How a transaction takes the sender's assets, in words; none where it pays, trades or deposits as its call says.
 * Somebody who sends a token by the token itself, or the native currency without a call, sees what leaves and to whom.
 */
function drainsIn(
  tx: AskedTransaction,
  { changes }: Pick<Simulation, 'changes'>,
  known: (address: string) => boolean,
): string[] {
  const net = [...netOf(changes, tx.from).values()];
  const lost = net.filter(({ delta }) => delta < 0n);
  const gained = net.filter(({ delta }) => delta > 0n);
  const others = recipientsOf(changes, tx.from).filter((who) => who !== tx.to);
  if (lost.length === 0 || gained.length > 0 || others.length === 0 || known(tx.to)) return [];
  if (tx.data.length <= 2) return viaReceiver(tx, lost, others, changes);
  const foreign = lost.filter(({ asset }) => asset.token !== tx.to);
  const native = foreign.find(({ asset }) => asset.kind === 'native');
  const said: string[] = [];
  if (foreign.length > 1)
    said.push(`${foreign.length} assets leave for ${others.join(', ')}, and nothing comes`);
  const collected = foreign.filter(({ asset }) => asset.kind === 'erc721' || asset.kind === 'erc1155');
  if (collected.length > 0)
    said.push(`${collected.map(({ asset }) => nameOf(asset)).join(', ')} leaves, and nothing comes`);
  const whole = foreign.filter(({ asset, delta }) => takesMost(changes, tx.from, asset, delta));
  for (const { asset } of whole) said.push(`nearly all of ${nameOf(asset)} leaves for ${others.join(', ')}`);
  if (native !== undefined && isBait(decodeCall(tx.data)))
    said.push(`"${decodeCall(tx.data).name}" passes the value on to ${others.join(', ')}, and nothing comes`);
  return said;
}

/** A plain payment that its receiver passes on whole is a payment to somebody else. */
function viaReceiver(
  tx: AskedTransaction,
  lost: readonly { readonly asset: { readonly kind: string }; readonly delta: bigint }[],
  others: readonly string[],
  changes: Simulation['changes'],
): string[] {
  const whole = lost.some(({ delta }) =>
    changes.some(
      (c) => c.asset.kind === 'native' && c.party === tx.from && takesMost(changes, tx.from, c.asset, delta),
    ),
  );
  return whole ? [`nearly all of the native currency leaves for ${others.join(', ')}`] : [];
}

function takesMost(
  changes: Simulation['changes'],
  party: string,
  asset: Simulation['changes'][number]['asset'],
  delta: bigint,
): boolean {
  const own = changes.find(
    (c) => c.party === party && c.asset.kind === asset.kind && c.asset.token === asset.token,
  );
  const before = own?.before == null ? null : BigInt(own.before);
  return before !== null && before > 0n && -delta * 100n >= before * MOST;
}

/** Everybody who gets something by it, in what it says or in what it does. */
export function earlierTouched(tx: AskedTransaction, seen: Simulation | null): string[] {
  const call = decodeCall(tx.data);
  const named = [
    tx.to,
    intendedRecipient(call),
    intendedApproval(tx, call)?.spender,
    ...(seen === null ? [] : recipientsOf(seen.changes, tx.from)),
    ...(seen?.approvals ?? []).filter((a) => a.owner === tx.from && a.amount !== '0').map((a) => a.spender),
    ...(seen?.owners ?? []).map((o) => o.to),
    ...(seen?.parties ?? []).map((p) => p.address),
  ];
  return [
    ...new Set(named.filter((who) => who != null && who !== tx.from && !/^0x0+$/.test(who))),
  ] as string[];
}

export function earlierDrains({ common }: WalletView, tx: AskedTransaction, seen: Simulation): Finding[] {
  return drainsIn(tx, seen, (who) => isKnown(who, common)).map((says) => ({ outcome: 'FLAG', says }));
}

/** The approvals that the sender gives: as simulated, else as the call says. */
export function earlierApprovals(
  { common }: WalletView,
  tx: AskedTransaction,
  seen: Simulation | null,
): Finding[] {
  const intended = intendedApproval(tx, decodeCall(tx.data));
  const given = seen?.outcome === 'success' ? seen.approvals : intended === null ? [] : [intended];
  const own = given.filter((a) => a.owner === tx.from && a.amount !== '0' && !isKnown(a.spender, common));
  const found = own.flatMap((a): Finding[] => {
    const why = strangerTo(a, seen);
    return why === null ? [] : [{ outcome: 'FLAG', says: `${a.spender}, ${why}, gets ${powerOf(a)}` }];
  });
  return seen?.outcome === 'success' ? found : [...found, ...unknownEffects(seen)];
}

export function earlierOwners({ common }: WalletView, tx: AskedTransaction, seen: Simulation): Finding[] {
  const own = [tx.from, common.address.toLowerCase()];
  return seen.owners.flatMap((o): Finding[] => {
    const isLost = o.from !== null && own.includes(o.from) && o.to !== o.from;
    const isOwn = own.includes(o.contract);
    const roles = o.event === 'RoleGranted' || o.event === 'Upgraded' || o.event === 'BeaconUpgraded';
    if (!isLost && !isOwn && !(roles && o.contract === tx.to && o.to !== tx.from)) return [];
    const to = o.to === null ? '' : ` to ${o.to}`;
    return [{ outcome: 'FLAG', says: `it changes who decides over ${o.contract}: ${o.event}${to}` }];
  });
}
