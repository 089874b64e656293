import type { FacilitatorEvmSigner } from '@x402/evm';
import { type Address, concat, encodeFunctionData, type Hex, type PublicClient } from 'viem';
import { ChainError } from '../rpc/chain-error.ts';
import type { Authorization, PaymentGroups } from './payment-groups.ts';
import type { SettlingSigner } from './settling-signer.ts';

/** The transactions of a settlement: the transfer, and before it possibly the deployment of the payer's wallet. */
export type SettlementStep = 'transfer' | 'deploy';

/**
 * One chain in the form that the SDK's facilitator wants. The SDK treats a chain that does not answer as a bad
 * signature, so such failures are also reported to `onSilence`. `getCode` never rejects: the SDK starts a check that
 * nobody awaits, and its rejection would end the process.
 */
export function evmSigner(
  client: PublicClient,
  signer: SettlingSigner,
  options: {
    readonly confirmationMs: number;
    readonly onSilence: (cause: unknown) => void;
    /** Reads the code of an account at most once for one question. */
    readonly codeOf: (address: Address, read: () => Promise<Hex | undefined>) => Promise<Hex | undefined>;
    /** Decides the gas limit of a transaction. @throws when it must not be sent */
    readonly admit: (step: SettlementStep, transaction: { to: Address; data: Hex }) => Promise<bigint>;
    /** The authorization under way, where its transfer may share a transaction with others; null where it may not. */
    readonly shared: () => Promise<Authorization | null>;
    readonly groups: PaymentGroups;
    /** Called when the transfer under way happened, or failed, in another transaction than the SDK knows. */
    readonly onMoved: (hash: Hex) => void;
  },
): FacilitatorEvmSigner {
  const { confirmationMs, onSilence, codeOf, admit, shared, groups, onMoved } = options;

  async function send(transaction: { to: Address; data: Hex; gas: bigint }): Promise<Hex> {
    try {
      const by = await shared();
      return await (by === null ? signer.send(transaction) : groups.send({ ...transaction, ...by }));
    } catch (error) {
      // The transaction may have been sent; waiting for its receipt decides.
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
        return await codeOf(args.address, () => client.getCode(args));
      } catch (error) {
        onSilence(error);
        return undefined;
      }
    },
    verifyTypedData: (args) => client.verifyTypedData(args as Parameters<PublicClient['verifyTypedData']>[0]),
    // The payer's class fixes the gas limit. Unused gas costs nothing, and a hostile wallet could deceive an estimate.
    async writeContract({ address, abi, functionName, args, dataSuffix }) {
      const plain = encodeFunctionData({ abi, functionName, args });
      const transfer = { to: address, data: dataSuffix ? concat([plain, dataSuffix]) : plain };
      return await send({ ...transfer, gas: await admit('transfer', transfer) });
    },
    async sendTransaction({ to, data }) {
      return await send({ to, data, gas: await admit('deploy', { to, data }) });
    },
    async waitForTransactionReceipt({ hash }) {
      const by = await shared();
      if (by === null) return await signer.receipt(hash, confirmationMs);
      const receipt = await groups.receipt(hash, by, confirmationMs);
      if (receipt.hash !== hash) onMoved(receipt.hash);
      return receipt;
    },
  };
}

const SILENT = new Set(['HttpRequestError', 'TimeoutError', 'SocketClosedError', 'WebSocketRequestError']);

/** True when the node gave no answer at all, rather than a refusal. */
export function isSilence(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (SILENT.has(e.name)) return true;
  return false;
}
