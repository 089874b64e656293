import { decodeCall, intendedApproval, intendedRecipient } from './call-data.ts';
import { unfolded } from './inner-calls.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';

/** So many are looked up; where more take part, that is told. */
export const MOST_LOOKED_UP = 300;

/**
 * Everybody who gets something by a transaction, in what it says or in what it does, whoever's it is: whom it calls, also
 * inside of accounts, and pays; who is given power, comes to decide over something, or has more of anything afterwards.
 */
export function takingPart(tx: AskedTransaction, seen: Simulation | null): string[] {
  const { calls } = unfolded(tx);
  const named = [
    ...calls.flatMap(({ account, to, data }) => {
      const call = decodeCall(data);
      return [to, intendedRecipient(call), intendedApproval({ from: account, to }, call)?.spender];
    }),
    ...(seen?.approvals ?? []).filter((a) => a.amount !== '0').map((a) => a.spender),
    ...(seen?.owners ?? []).map((o) => o.to),
    ...(seen?.parties ?? []).map((p) => p.address),
    ...(seen?.changes ?? []).filter((c) => !c.delta.startsWith('-')).map((c) => c.party),
  ];
  const all = named.filter((who) => who != null && who !== tx.from && !/^0x0+$/.test(who));
  return [...new Set(all as string[])];
}
