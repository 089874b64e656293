import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import { decodeCall, isBait } from './call-data.ts';
import { nameOf, netOf, recipientsOf } from './compare.ts';
import { KNOWN_CONTRACTS } from './known-contracts.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';

/** Most of what somebody holds, in percent: so much leaves by no payment that he thought of. */
const MOST = 90n;

/** Whether a contract is known to do what its users want. */
export function isKnown(address: string, { contracts = [] }: Pick<WalletCommon, 'contracts'>): boolean {
  return KNOWN_CONTRACTS.has(address) || contracts.includes(address);
}

/**
 * How a transaction takes the sender's assets, in words; none where it pays, trades or deposits as its call says.
 * Somebody who sends a token by the token itself, or the native currency without a call, sees what leaves and to whom.
 */
export function drainsIn(
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
