import { type Address, formatEther, type Hex, type LocalAccount } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { ChainError } from '../../rpc/chain-error.ts';
import { RpcRefusal, RpcSilence } from '../../rpc/json-rpc.ts';
import { createSigner } from '../../tx/signer.ts';
import { type Node, silent } from './node.ts';

export interface Call {
  /** What the call does, for the progress line. */
  readonly name: string;
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value?: bigint;
}

export interface Paid {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** In wei. */
  readonly cost: bigint;
}

/** A key that pays. Each transaction is estimated and offered the present price, but never more than the limit. */
export interface Payer {
  readonly address: Address;
  /** The present offer for a transaction, in wei per gas (EIP-1559). @throws Error when it exceeds the limit */
  price(): Promise<bigint>;
  /** The estimate with a margin of a quarter. @throws RpcRefusal when the call would fail */
  gasFor(call: Omit<Call, 'name' | 'to'> & { readonly to?: Address }): Promise<bigint>;
  /** @throws Error with one sentence when the balance is less than this many wei */
  requireBalance(wei: bigint): Promise<void>;
  /** Waits for transactions that an earlier run sent. @throws Error when they are not mined in time */
  settled(say: (line: string) => void): Promise<void>;
  /** Sends a call and waits for it, replacing it when it is stuck. @throws Error with one sentence */
  pay(call: Call, gas: bigint): Promise<Paid>;
}

interface PayerOptions {
  readonly node: Node;
  /** A private key, or the account that signs with it, wherever the key is held. */
  readonly privateKey: Hex | LocalAccount;
  /** In wei per gas. */
  readonly maxFeePerGas: bigint;
  readonly patienceMs?: number;
}

const PATIENCE_MS = 180_000;
const LOOK_MS = 500;
/** The tip when the node suggests none: a thousandth of a gwei, in wei per gas. */
const USUAL_TIP = '0xf4240';
const STUCK_MS = 20_000;

export function openPayer({
  node,
  privateKey,
  maxFeePerGas: bound,
  patienceMs = PATIENCE_MS,
}: PayerOptions): Payer {
  const address = typeof privateKey === 'string' ? privateKeyToAddress(privateKey) : privateKey.address;
  const count = async (tag: 'latest' | 'pending'): Promise<number> =>
    Number(await node.ask<Hex>('eth_getTransactionCount', [address, tag]));

  let firstTip: Promise<Hex> | null = null;

  async function fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
    const { baseFeePerGas } = await node.ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    const base = BigInt(baseFeePerGas ?? 0);
    // Read once in a run, so that the high tip of one transaction does not become the price of all later ones.
    firstTip ??= node.ask<Hex>('eth_maxPriorityFeePerGas').catch((error) => {
      if (error instanceof RpcRefusal) return USUAL_TIP;
      throw error;
    });
    const tip = BigInt(await firstTip);
    // The next block's base fee may be an eighth higher than this one's.
    if ((base * 9n) / 8n + tip > bound) {
      throw new Error(
        `chain ${node.chainId} asks for ${gwei(base + tip)} gwei a gas, and ${gwei(bound)} is the most that may be paid: wait, or raise --max-fee`,
      );
    }
    const comfortable = base * 2n + tip;
    return { maxFeePerGas: comfortable < bound ? comfortable : bound, maxPriorityFeePerGas: tip };
  }

  async function requireBalance(wei: bigint): Promise<void> {
    const has = BigInt(await node.ask<Hex>('eth_getBalance', [address, 'latest']));
    if (has >= wei) return;
    throw new Error(
      `${address} has ${formatEther(has)} of chain ${node.chainId}'s coin and this may cost up to ${formatEther(wei)}: send it ${formatEther(wei - has)} more`,
    );
  }

  return {
    address,
    price: async () => (await fees()).maxFeePerGas,
    async gasFor({ to, data, value = 0n }) {
      const call = { from: address, ...(to ? { to } : {}), data, value: `0x${value.toString(16)}` };
      return (BigInt(await node.ask<Hex>('eth_estimateGas', [call])) * 5n) / 4n;
    },
    requireBalance,
    async settled(say) {
      const until = performance.now() + patienceMs;
      for (let said = false; ; said = true) {
        const [mined, known] = await Promise.all([count('latest'), count('pending')]);
        if (known <= mined) return;
        if (!said) say(`waiting for ${known - mined} transaction(s) of ${address} that are on their way`);
        if (performance.now() > until) {
          throw new Error(
            `${known - mined} transaction(s) of ${address} from nonce ${mined} on are still not mined: wait, or replace them from a wallet, and run the same command again`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    async pay({ name, to, data, value = 0n }, gas) {
      const { rpcUrl, chainId, host } = node;
      const offered = await fees();
      const signer = createSigner({
        rpcUrl,
        chainId,
        privateKey,
        ...offered,
        feeCap: bound,
        stuckMs: STUCK_MS,
      });
      const until = performance.now() + patienceMs;
      let hash: Hex;
      try {
        hash = await signer.send({ to, data, value, gas });
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        if (error.kind === 'unknown' && error.hash) hash = error.hash;
        else {
          const { cause } = error;
          if (cause instanceof RpcSilence) throw silent(host, cause);
          if (/insufficient funds/i.test(error.message)) {
            await requireBalance(gas * offered.maxFeePerGas + value);
          }
          throw new Error(`${name}: ${error.message}`, { cause: error });
        }
      }
      for (;;) {
        try {
          const receipt = await signer.receipt(hash, STUCK_MS);
          return {
            hash: receipt.transactionHash,
            succeeded: receipt.status === 'success',
            gasUsed: receipt.gasUsed,
            cost: receipt.gasUsed * receipt.effectiveGasPrice,
          };
        } catch (error) {
          if (performance.now() > until) {
            throw new Error(
              `${name}: transaction ${hash} was not mined in time: run the same command again, it goes on from what stands`,
              { cause: error },
            );
          }
          // Sends a transaction again when the node has lost it, and replaces it when its fees are too low.
          await signer.rebroadcastPending().catch(() => {});
        }
      }
    },
  };
}

function gwei(wei: bigint): string {
  return formatEther(wei * 10n ** 9n);
}
