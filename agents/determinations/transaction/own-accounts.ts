import { accountKind } from '../wallet/code/account-code.ts';
import type { WalletCommon, WalletFacts } from '../wallet/wallet-evidence.ts';
import { unfolded } from './inner-calls.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';

/** An account whose money and powers are the sender's own. */
export interface OwnAccount {
  readonly address: string;
  /**
   * `calls`: the transaction says what it is to call; `told`: it, or the chain, says that the sender decides over it, and
   * what it does is known by its effects alone.
   */
  readonly how: 'sender' | 'calls' | 'told';
}

/**
 * The sender, the accounts that its transaction tells what to call, and those that tell that the sender decides over them:
 * a Safe, a token-bound account, a contract with an owner. A contract that lies about it is judged by what it loses, too,
 * and excuses nothing by what it gains.
 */
export function ownAccounts(
  common: Pick<WalletCommon, 'address'>,
  tx: AskedTransaction,
  seen: Simulation | null,
  facts?: WalletFacts,
): OwnAccount[] {
  const calling = new Set(unfolded(tx).accounts);
  const told = new Set<string>();
  const of = (owners: readonly string[]): boolean => owners.includes(tx.from);
  for (const { address, owners } of seen?.accounts ?? []) if (of(owners)) told.add(address);
  const code = seen?.parties.find((p) => p.address === tx.to)?.code;
  if (tx.data.length > 2 && code !== undefined && accountKind(code).kind === 'token-bound') told.add(tx.to);
  const asked = common.address.toLowerCase();
  const principals = facts?.chains.find((c) => c.chain === tx.chain)?.principals;
  const edges = (principals?.edges ?? []).filter((e) => e.of === asked && /\bowner\b/.test(e.role));
  if (of([...(principals?.owners ?? []), ...edges.map((e) => e.who)])) told.add(asked);
  const others = [...new Set([...calling, ...told])].filter((who) => who !== tx.from);
  return [
    { address: tx.from, how: 'sender' },
    ...others.map((address) => ({ address, how: calling.has(address) ? 'calls' : 'told' }) as const),
  ];
}
