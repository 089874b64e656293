import { type Address, type Hex, keccak256, parseErc6492Signature } from 'viem';
import { type CodeReader, runningCode } from '../clients/running-code.ts';
import { rpc } from '../rpc/json-rpc.ts';
import type { KnownWallets } from './known-wallets.ts';

/**
 * What kind of account pays, as far as gas is concerned. `key`: an account without code, whose settlement costs what
 * the token's transfer costs. `known`: code that the operator or this service trusts. `unproven`: any other code, which
 * may burn all the gas that it is given.
 */
export interface PayerClass {
  readonly kind: 'key' | 'known' | 'unproven';
  /** The budgets that count failed settlements of its code; empty for a key. */
  readonly codes: readonly string[];
  /** The gas limit of the transfer. */
  readonly transferGas: bigint;
  /** The gas limit for deploying the wallet first (ERC-6492); 0 when it is deployed. */
  readonly deployGas: bigint;
}

/** A transfer by a key costs 40,000 to 90,000 gas, depending on the token and on whether the payee held it before. */
export const KEY_GAS = 120_000n;
/**
 * A wallet with one owner needs 10,000 to 40,000 more to verify a signature. Verifying a passkey in Solidity does not
 * fit.
 */
export const UNPROVEN_GAS = 180_000n;
/** For a payment that an agent's account has booked: it reads only its own storage and its policy. */
export const AGENT_PAYMENT_GAS = 160_000n;
/** Enough to deploy a proxy with a few owners. */
const DEPLOY_GAS = 600_000n;

const KEY: PayerClass = { kind: 'key', codes: [], transferGas: KEY_GAS, deployGas: 0n };

/** Classifies a payer whose code was read already. @throws RpcRefusal, RpcSilence */
export type ClassifyPayer = (payer: Address, signature: Hex, code: Hex | undefined) => Promise<PayerClass>;

/** Classifies the payers of one chain. It sends no request for a payer without code. */
export function payerClassifier(chain: {
  readonly rpcUrl: string;
  readonly known: KnownWallets;
  /** The implementation of this service's own agent accounts, and the gas limit of their payments. */
  readonly own?: { readonly implementation: Address; readonly gas: bigint };
}): ClassifyPayer {
  const reader = codeReader(chain.rpcUrl);
  let own: Promise<Hex> | null = null;
  /** Read once, because the code of a deployed contract does not change. */
  const ownHash = async (implementation: Address): Promise<Hex> => {
    own ??= reader.code(implementation).then(keccak256);
    own.catch(() => {
      own = null;
    });
    return await own;
  };
  return async (payer, signature, code) => {
    if (code === undefined || code === '0x') return undeployed(signature);
    const { runs, shapes } = await runningCode(payer, code, reader, chain.known.proxies);
    const codes = shapes.map((shape) => `code:${shape}`);
    const gas = runs === null ? undefined : chain.known.codes.get(runs);
    if (gas !== undefined) return { kind: 'known', codes, transferGas: gas, deployGas: 0n };
    if (chain.own && runs === (await ownHash(chain.own.implementation)))
      return { kind: 'known', codes, transferGas: chain.own.gas, deployGas: 0n };
    return { kind: 'unproven', codes, transferGas: UNPROVEN_GAS, deployGas: 0n };
  };
}

/** Classifies an undeployed wallet by its factory, because the code to be deployed cannot be read yet. */
function undeployed(signature: Hex): PayerClass {
  const { address, data } = parseErc6492Signature(signature);
  if (!address || !data || /^0x0*$/.test(address)) return KEY;
  const codes = [`factory:${address.toLowerCase()}`];
  return { kind: 'unproven', codes, transferGas: UNPROVEN_GAS, deployGas: DEPLOY_GAS };
}

function codeReader(rpcUrl: string): CodeReader {
  return {
    code: (address) => rpc<Hex>(rpcUrl, 'eth_getCode', [address, 'latest']),
    slot: (address, slot) => rpc<Hex>(rpcUrl, 'eth_getStorageAt', [address, slot, 'latest']),
    async implementation(beacon) {
      const answer = await rpc<Hex>(rpcUrl, 'eth_call', [
        { to: beacon, data: '0x5c60da1b', gas: '0x186a0' },
        'latest',
      ]).catch(() => '0x' as const);
      return /^0x0{24}[0-9a-fA-F]{40}$/.test(answer) ? `0x${answer.slice(26)}` : null;
    },
  };
}
