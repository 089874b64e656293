import type { Logger } from 'pino';
import { formatEther } from 'viem';
import { SETTLE_GAS } from '../../chain/clients/settlement.ts';
import type { Signer } from '../../chain/tx/signer.ts';
import { latestReading } from '../keys/latest-reading.ts';

/** What `/health` shows of one key that pays for gas. */
export interface SignerFacts {
  readonly role: string;
  readonly address: string;
  /** The chain's own coin, as an exact decimal. */
  readonly balance: string;
  /** True when it will soon pay for no more settlements. */
  readonly low: boolean;
}

interface SignerWatchDeps {
  /** By role; null where the service holds no such key. */
  readonly signers: Readonly<Record<string, Signer | null>>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
  /** How old a reading may be before the next question starts another; 5,000 when left out. */
  readonly maxAgeMs?: number;
}

/** A key is low when it cannot pay for so many settlements at the present gas price. */
const SETTLEMENTS = 50n;
/** What a settlement uses, rounded up. */
const SETTLEMENT_GAS = 300_000n;

/**
 * Watches the balances of the keys that pay for gas on one chain. The answer is the latest reading, and never waits
 * for a newer one; only the first question waits. Warns once each time a key becomes low.
 * @throws ChainError down, while there was no reading yet
 */
export function signerWatch(deps: SignerWatchDeps): () => Promise<readonly SignerFacts[]> {
  const { signers, log, clock = () => performance.now(), maxAgeMs = 5_000 } = deps;
  const low = new Set<string>();
  const named = Object.entries(signers).flatMap(([role, signer]) =>
    signer === null ? [] : [{ role, signer }],
  );
  // A key that has several roles is told of once, by its first.
  const held = named.filter((a, i) => named.findIndex((b) => b.signer.address === a.signer.address) === i);

  async function factsOf(role: string, signer: Signer): Promise<SignerFacts> {
    const { balance, gasPrice } = await signer.funds();
    const enough = SETTLEMENTS * SETTLEMENT_GAS * gasPrice;
    // A node takes a transaction only from a key that could pay for its whole limit at its highest fee.
    const upFront = SETTLE_GAS * signer.maxFeePerGas;
    const facts = {
      role,
      address: signer.address,
      balance: formatEther(balance),
      low: balance < (enough > upFront ? enough : upFront),
    };
    if (facts.low && !low.has(role))
      log.warn({ chainId: signer.chainId, ...facts }, 'a key that pays for gas is running out of it');
    if (facts.low) low.add(role);
    else low.delete(role);
    return facts;
  }

  return latestReading(() => Promise.all(held.map(({ role, signer }) => factsOf(role, signer))), {
    clock,
    maxAgeMs,
  });
}
