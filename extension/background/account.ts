import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../agents/canonical.ts';
import { readSettings, readStored, writeStored } from './settings.ts';

interface Spent {
  /** UTC, such as 2026-11-23. */
  readonly day: string;
  readonly micro: string;
}

/** The account that pays for checks: a key of the extension's own, which holds what its user sends to it and no more. */
export async function payingAccount() {
  let key = await readStored<Hex>('payingKey');
  if (key === undefined) {
    key = generatePrivateKey();
    await writeStored('payingKey', key);
  }
  return privateKeyToAccount(key);
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Takes an amount out of today's budget before anything is signed for it. It is not given back: a payment that was signed
 * may settle.
 * @returns false when today's budget does not hold it
 */
export function takeFromBudget(micro: bigint): Promise<boolean> {
  const taken = queue.then(async () => {
    const { dailyBudgetMicro } = await readSettings();
    const { spent, day } = await spentToday();
    if (micro <= 0n || spent + micro > BigInt(dailyBudgetMicro)) return false;
    await writeStored('spent', { day, micro: `${spent + micro}` } satisfies Spent);
    return true;
  });
  queue = taken.catch(() => {});
  return taken;
}

/** What was signed for today, in micro-dollars. */
export async function spentToday(): Promise<{ readonly spent: bigint; readonly day: string }> {
  const day = new Date().toISOString().slice(0, 10);
  const held = await readStored<Spent>('spent');
  return { day, spent: held?.day === day ? BigInt(held.micro) : 0n };
}
