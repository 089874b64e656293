import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';

/** What two plain reads tell about a payer: enough to turn most forged payments away. */
export interface PayerFacts {
  readonly hasCode: boolean;
  /** In atomic units of the token. */
  readonly balance: bigint;
}

/** @returns null when the chain does not answer; then nothing may be concluded */
export type GlanceAtPayer = (asset: Address, payer: Address) => Promise<PayerFacts | null>;

const TIMEOUT_MS = 2_000;

export function payerGlance(rpcUrl: string): GlanceAtPayer {
  const ask = (method: string, first: unknown) => rpc<Hex>(rpcUrl, method, [first, 'latest'], TIMEOUT_MS);
  return async (asset, payer) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer] });
    try {
      const [code, word] = await Promise.all([
        ask('eth_getCode', payer),
        ask('eth_call', { to: asset, data }),
      ]);
      if (!/^0x[0-9a-fA-F]{64}$/.test(word)) return null;
      return { hasCode: code !== '0x', balance: BigInt(word) };
    } catch {
      return null;
    }
  };
}
