import { type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem';
import type { Deployment } from '../deploy/deployment.ts';
import { ChainError } from '../rpc/chain-error.ts';
import type { ChainReader } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { asChainError, type ContractCall, simulate, whyReverted } from '../tx/transact.ts';
import { type WalletCode, walletCode } from './wallet-code.ts';

/** What is needed to send acts that others have signed, at this key's cost. */
export interface Relay {
  readonly signer: Signer;
  readonly reader: ChainReader;
  readonly deployment: Deployment;
  readonly guard: RelayGuard;
}

/** What a relayed act may cost, before it is sent. */
export interface RelayCost {
  /** The contract wallet whose code runs, or whose budgets of a day are charged for the act of a plain key. */
  readonly of: WalletCode | Pick<RelayedCall, 'payers' | 'stops'>;
  /** The most gas that the transaction can burn. */
  readonly gas: bigint;
  /** The highest price of a unit of gas, in wei. */
  readonly gasPrice: bigint;
  /** The call that the signer can send himself instead. */
  readonly call: {
    readonly chainId: number;
    readonly to: Address;
    readonly data: Hex;
    readonly value: bigint;
  };
}

/** Limits how much acts may cost the key that relays them. */
export interface RelayGuard {
  /** Checks whether the cost could be reserved now. @throws AppError relay-budget, with the call */
  check(cost: RelayCost): Promise<void>;
  /**
   * Reserves the cost before anything is sent. A reservation that is never settled stays spent.
   * @throws AppError relay-budget, with the call
   */
  reserve(cost: RelayCost): Promise<(burnt: RelayBurnt) => Promise<void>>;
}

export interface RelayBurnt {
  /** The gas beyond what the simulation used; all of it when the chain refused an act that the simulation accepted. */
  readonly beyond: bigint;
  readonly gasUsed: bigint;
  /** In wei. */
  readonly gasPrice: bigint;
}

/**
 * A call that a wallet's owner has signed. `gas` is the most that it uses when the wallet is an account without code.
 */
export interface RelayedCall extends ContractCall {
  /** The wallet whose signature the contract checks. */
  readonly wallet: Address;
  /** Whose budgets of a day are charged where the wallet is an account without code, such as `agent 7`: wallets cost nothing. */
  readonly payers: readonly string[];
  /** It stops something, such as a pause: the first that its payers are charged for never waits. */
  readonly stops?: boolean;
}

/** How much gas a contract wallet may use to check a signature (ERC-1271). P-256 in Solidity takes some 350,000. */
const SIGNATURE_GAS = 450_000n;

/** A transaction may use a little more than its simulation, because storage or the block has changed. */
const withMargin = (gas: bigint): bigint => gas + gas / 8n + 20_000n;

/** Simulates a call, and checks whether it may be sent. @throws ChainError, ReaderError, AppError */
export async function rehearseCall(relay: Relay, call: RelayedCall): Promise<void> {
  await simulate(relay.signer, call);
  await relay.guard.check((await costOf(relay, call)).worst);
}

/**
 * Sends a call that its wallet has signed. All the gas of a plain key's act counts against its payers' budgets. A contract
 * wallet's code runs at this service's cost, so the call is
 * simulated exactly as it will be sent, from this key, at its price and with its gas limit, and the limit is hardly
 * more than the simulation used. What the wallet burns beyond that, or by a refusal that the simulation did not show,
 * counts against its budget.
 * @throws ChainError as `transact`; ReaderError; AppError relay-budget, with nothing sent
 */
export async function relayCall(relay: Relay, call: RelayedCall): Promise<TransactionReceipt> {
  const { signer, guard } = relay;
  // Simulated first, because a call that will be refused should not cost gas.
  await simulate(signer, call);
  const { worst, simulated } = await costOf(relay, call);
  const settle = await guard.reserve(worst);
  const release = () => settle({ beyond: 0n, gasUsed: 0n, gasPrice: 0n });
  const { to, purposes = [] } = call;
  const hash = await signer
    .send({ to, data: worst.call.data, gas: worst.gas, purposes })
    .catch(async (error: unknown) => {
      // Nothing was sent, so the reservation is released. It stays when a transaction may be on its way.
      if (error instanceof ChainError && error.kind === 'down') await release();
      throw error;
    });
  const receipt = await signer.receipt(hash);
  const { gasUsed, effectiveGasPrice: gasPrice } = receipt;
  const succeeded = receipt.status === 'success';
  const beyond = succeeded ? (gasUsed > simulated ? gasUsed - simulated : 0n) : gasUsed;
  await settle({ beyond, gasUsed, gasPrice });
  if (succeeded) return receipt;
  throw await whyReverted(signer, call, hash, receipt.blockNumber);
}

async function costOf(
  { signer, reader, deployment }: Relay,
  call: RelayedCall,
): Promise<{ readonly worst: RelayCost; readonly simulated: bigint }> {
  const { number: block } = await reader.head();
  const of = await walletCode(reader, deployment, call.wallet, block);
  const { to, abi, functionName, args } = call;
  const data = encodeFunctionData({ abi, functionName, args });
  if (of === null) {
    const { payers, stops = false, gas } = call;
    const sent = { chainId: signer.chainId, to, data, value: 0n };
    return {
      simulated: 0n,
      worst: { of: { payers, stops }, gas, gasPrice: signer.maxFeePerGas, call: sent },
    };
  }
  const ceiling = call.gas + SIGNATURE_GAS;
  try {
    const simulated = await signer.estimate({ to, data, gas: ceiling });
    const limit = withMargin(simulated) < ceiling ? withMargin(simulated) : ceiling;
    await signer.call({ to, data, gas: limit });
    const gasPrice = signer.maxFeePerGas;
    return {
      simulated,
      worst: { of, gas: limit, gasPrice, call: { chainId: signer.chainId, to, data, value: 0n } },
    };
  } catch (error) {
    throw asChainError(error, abi);
  }
}
