import { AsyncLocalStorage } from 'node:async_hooks';
import { x402Facilitator } from '@x402/core/facilitator';
import type { Network } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { type Address, createPublicClient, http, type PublicClient } from 'viem';
import { evmSigner, type SettlingSigner } from './evm-signer.ts';
import { type Facilitator, FacilitatorDown } from './facilitator.ts';

export interface FacilitatorChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly signer: SettlingSigner;
  /** Factories through which a wallet that is not deployed yet (ERC-6492) may be deployed at our cost; none when left out. */
  readonly walletFactories?: readonly Address[];
}

interface Silence {
  cause?: unknown;
}

/**
 * The x402 facilitator in this process: scheme `exact` by EIP-3009, payers held by a key, by a contract (ERC-1271) or
 * by a contract not deployed yet (ERC-6492, through the named factories).
 *
 * `verify` and `settle` throw FacilitatorDown when a chain does not answer, where nothing may be concluded.
 * @param options confirmationMs how long a settlement waits for its receipt; 15,000 when left out
 */
export function inProcessFacilitator(
  chains: readonly FacilitatorChain[],
  options: { confirmationMs?: number } = {},
): Facilitator {
  const { confirmationMs = 15_000 } = options;
  const silences = new AsyncLocalStorage<Silence>();
  const facilitator = new x402Facilitator();
  const clients: (readonly [FacilitatorChain, PublicClient])[] = [];

  for (const chain of chains) {
    const client = createPublicClient({ transport: http(chain.rpcUrl, { retryCount: 1, timeout: 5_000 }) });
    clients.push([chain, client]);
    const signer = evmSigner(client, chain.signer, {
      confirmationMs,
      onSilence: (cause) => {
        const silence = silences.getStore();
        if (silence) silence.cause ??= cause;
      },
    });
    const scheme = new ExactEvmScheme(signer, {
      eip6492AllowedFactories: [...(chain.walletFactories ?? [])],
    });
    facilitator.register(`eip155:${chain.chainId}` as Network, scheme);
  }

  /** An answer of "no" that was reached while a chain was silent is no answer. */
  async function listening<T>(ask: () => Promise<T>, isNo: (answer: T) => boolean): Promise<T> {
    const silence: Silence = {};
    let answer: T;
    try {
      answer = await silences.run(silence, ask);
    } catch (error) {
      if (silence.cause !== undefined) throw down(silence.cause);
      throw error;
    }
    if (isNo(answer) && silence.cause !== undefined) throw down(silence.cause);
    return answer;
  }

  return {
    verify: (payload, requirements) =>
      listening(
        () => facilitator.verify(payload, requirements),
        (answer) => !answer.isValid,
      ),
    settle: (payload, requirements) =>
      listening(
        () => facilitator.settle(payload, requirements),
        (answer) => !answer.success && !answer.transaction,
      ),
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<Facilitator['getSupported']>>,
    async check() {
      const blocks = await Promise.all(
        clients.map(async ([{ chainId }, client]) => {
          return [`eip155:${chainId}`, Number(await client.getBlockNumber({ cacheTime: 0 }))] as const;
        }),
      );
      return { kind: 'in-process', blocks: Object.fromEntries(blocks) };
    },
  };
}

function down(cause: unknown): FacilitatorDown {
  return new FacilitatorDown('the chain under the facilitator does not answer', { cause });
}
