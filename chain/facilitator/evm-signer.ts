import type { FacilitatorEvmSigner } from '@x402/evm';
import { type Address, concat, encodeFunctionData, type Hex, type Log, type PublicClient } from 'viem';
import { ChainError } from '../chain-error.ts';

/** The key that pays the gas of settlements. */
export interface SettlingSigner {
  readonly address: Address;
  /** @throws ChainError down (nothing was sent) or unknown (carries the hash) */
  send(transaction: { to: Address; data: Hex; gas: bigint }): Promise<Hex>;
  /** @throws ChainError unknown when no receipt comes in time */
  receipt(hash: Hex, timeoutMs?: number): Promise<{ status: string; logs: Log[] }>;
}

/** Fixed: what is not used is not charged, and estimating would cost a round trip. Covers an ERC-1271 payer. */
const TRANSFER_GAS = 500_000n;
const DEPLOY_GAS = 3_000_000n;

/**
 * One chain as the SDK's facilitator wants it. The SDK takes a chain that does not answer for a bad signature, so
 * every such failure is also told to `onSilence`. `getCode` never rejects: the SDK starts a check whose failure nobody
 * awaits, which would end the process.
 */
export function evmSigner(
  client: PublicClient,
  signer: SettlingSigner,
  options: { confirmationMs: number; onSilence: (cause: unknown) => void },
): FacilitatorEvmSigner {
  const { confirmationMs, onSilence } = options;

  async function send(transaction: { to: Address; data: Hex; gas: bigint }): Promise<Hex> {
    try {
      return await signer.send(transaction);
    } catch (error) {
      // It may be on its way: the wait for its receipt decides.
      if (error instanceof ChainError && error.kind === 'unknown' && error.hash) return error.hash;
      onSilence(error);
      throw error;
    }
  }

  return {
    getAddresses: () => [signer.address],
    async readContract(args) {
      try {
        return await client.readContract(args as Parameters<PublicClient['readContract']>[0]);
      } catch (error) {
        if (isSilence(error)) onSilence(error);
        throw error;
      }
    },
    async getCode(args) {
      try {
        return await client.getCode(args);
      } catch (error) {
        onSilence(error);
        return undefined;
      }
    },
    verifyTypedData: (args) =>
      client.verifyTypedData(args as unknown as Parameters<PublicClient['verifyTypedData']>[0]),
    writeContract: ({ address, abi, functionName, args, gas, dataSuffix }) => {
      const data = encodeFunctionData({ abi, functionName, args });
      return send({
        to: address,
        data: dataSuffix ? concat([data, dataSuffix]) : data,
        gas: gas ?? TRANSFER_GAS,
      });
    },
    sendTransaction: ({ to, data }) => send({ to, data, gas: DEPLOY_GAS }),
    waitForTransactionReceipt: ({ hash }) => signer.receipt(hash, confirmationMs),
  };
}

const SILENT = new Set(['HttpRequestError', 'TimeoutError', 'SocketClosedError', 'WebSocketRequestError']);

/** True when the node gave no answer, as opposed to an answer that refuses. */
export function isSilence(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (SILENT.has(e.name)) return true;
  return false;
}
