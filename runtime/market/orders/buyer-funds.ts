import { AppError } from '../../../agents/errors.ts';
import type { Address } from '../../../agents/ids.ts';
import { type Short, shortOf } from '../../../agents/market/funds.ts';
import { formatUsd, type Micro, toUsd } from '../../../agents/money.ts';
import { readBalance } from '../../../chain/clients/agents.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import type { Database, Trx } from '../../../store/database.ts';
import { lastBookedBlock } from '../../../store/deal/booked-blocks.ts';
import { becomeUnfunded, moneyInFlight } from '../../../store/market/funding.ts';
import { lockLot } from '../../../store/market/lots.ts';
import type { PairedOrder } from '../../../store/market/matches.ts';
import { overHome } from '../../agent/public.ts';
import type { Services } from '../../services.ts';
import { hasAllBooked } from './judge-order.ts';
import { LookAgain, lookThenWrite } from './look-again.ts';

/** The money of an agent's account at one block. */
export interface BalanceLook {
  readonly block: bigint;
  readonly balance: Micro;
}

/** Reads the money in an agent's account at the head: before a transaction, never within one. @throws AppError unavailable */
export async function lookAtBalance({ home }: Services, agent: AgentRow): Promise<BalanceLook> {
  return await overHome(agent, async () => {
    const { number } = await home.readers.viem.head();
    return await balanceAt({ home }, agent, number);
  });
}

/** The money in an agent's account at a block. @throws ReaderError */
export async function balanceAt(
  { home }: Pick<Services, 'home'>,
  agent: AgentRow,
  block: bigint,
): Promise<BalanceLook> {
  const account = agent.account as Address;
  return { block, balance: await readBalance(home.readers.viem, home.deployment, account, block) };
}

/**
 * What an account that was read before lacks for a buyer's order, or for one that is about to be placed: what the agent
 * bids on the same lot already makes room for it.
 * @throws LookAgain when the chain has booked a payment of the agent since
 */
export async function shortFor(
  db: Database | Trx,
  order: { readonly handle: string; readonly lot: string; readonly limit: Micro },
  { block, balance }: BalanceLook,
): Promise<Short | null> {
  const inFlight = await moneyInFlight(db, order.handle, { without: order.lot });
  // Asked last: a deal that is booked in between is no longer in flight, and the balance still has its money.
  await requireAllBooked(db, order.handle, block);
  return shortOf(order, { balance, inFlight });
}

/**
 * Refuses a purchase that the account does not cover at its limit, with the buyer's fee of a name: a bid in an auction
 * is on no list where it could wait for its money. It runs within the transaction that places it.
 * @throws AppError conflict with what it needs and what there is; LookAgain
 */
export async function requireCovered(
  trx: Trx,
  order: { readonly handle: string; readonly lot: string; readonly limit: Micro },
  look: BalanceLook,
): Promise<void> {
  const short = await shortFor(trx, order, look);
  if (short === null) return;
  const [need, have] = [formatUsd(short.need), formatUsd(short.have)];
  throw new AppError(
    'conflict',
    `This needs ${need} USD with the fee, and the account of "${order.handle}" has ${have} USD that nothing else is to pay from: send it the rest first.`,
    { extra: { needUsd: toUsd(short.need), haveUsd: toUsd(short.have) } },
  );
}

/** @throws LookAgain when the chain has booked a payment of the agent after this block */
async function requireAllBooked(db: Database | Trx, handle: string, block: bigint): Promise<void> {
  const bookedBlock = await lastBookedBlock(db, handle);
  if (!hasAllBooked({ block }, { bookedBlock }))
    throw new LookAgain(`A deal of "${handle}" was booked in block ${bookedBlock}, after ${block}`);
}

/**
 * Whether the account of a buyer's agent covers its order now.
 * @param first what was just read of it: it is read again only where the chain has booked a payment of the agent since
 * @throws AppError unavailable
 */
export async function isCovered(
  services: Services,
  agent: AgentRow,
  order: { readonly lot: string; readonly limit: Micro },
  first: BalanceLook,
): Promise<BalanceLook & { readonly covered: boolean }> {
  let seen: BalanceLook | null = first;
  return await lookThenWrite(async () => {
    const look = seen ?? (await lookAtBalance(services, agent));
    seen = null;
    const short = await shortFor(services.db, { ...order, handle: agent.handle }, look);
    return { ...look, covered: short === null };
  });
}

/** Takes a buyer's order off the book that was found short, so that the next best is tried. One that is not placed yet stays so. */
export async function leaveUnfunded(
  services: Services,
  lot: string,
  { order_id: orderId }: Pick<PairedOrder, 'order_id'>,
): Promise<void> {
  const now = services.now();
  const left = await services.db.transaction().execute(async (trx) => {
    await lockLot(trx, lot);
    return await becomeUnfunded(trx, { assetKey: lot, orderId, now });
  });
  if (left) services.log.info({ orderId, lot }, 'an order is unfunded: its account cannot cover it');
}
