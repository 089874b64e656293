import type { Address } from '../../../agents/ids.ts';
import { onePurchase } from '../../../agents/mandate/compliance/compliance-limits.ts';
import { type Funds, spendableOf } from '../../../agents/market/funds.ts';
import type { Micro } from '../../../agents/money.ts';
import { readBalance, readLimits } from '../../../chain/clients/agents.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import { moneyHeldBy } from '../../../store/agent/reservations.ts';
import { overHome } from '../../agent/public.ts';
import type { Services } from '../../services.ts';

/** The money of an agent's account as its owner may know it. */
export interface OwnFunds extends Funds {
  readonly block: bigint;
  /** What one more purchase may cost: by its caps, and by its money. */
  readonly spendable: Micro;
}

/** @throws AppError unavailable when the chain cannot be read */
export async function readOwnFunds(services: Services, agent: AgentRow): Promise<OwnFunds> {
  const { readers, deployment } = services.home;
  const chain = await overHome(agent, async () => {
    const { number: block } = await readers.viem.head();
    const [balance, limits] = await Promise.all([
      readBalance(readers.viem, deployment, agent.account as Address, block),
      readLimits(readers.viem, deployment, agent.token_id, block),
    ]);
    return { block, balance, limits };
  });
  const held = await moneyHeldBy(services.db, agent.handle);
  const { block, balance, limits } = chain;
  const inFlight = held.amount - held.unfunded;
  const caps = onePurchase({ remaining: limits, reservedMicro: held.amount }) ?? 0n;
  return { block, balance, inFlight, spendable: spendableOf(caps, { balance, inFlight }) };
}
