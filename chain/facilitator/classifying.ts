import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Hex } from 'viem';
import { rpc } from '../rpc/json-rpc.ts';
import { type Facilitator, FacilitatorDown } from './facilitator.ts';
import type { ClassifyPayer, PayerClass } from './payer-class.ts';
import { signedTransferOf } from './transfer-data.ts';

/** A chain on which payers of another facilitator are classified. */
export interface PayerChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly classify: ClassifyPayer;
}

/**
 * Adds the class of the payer to a remote facilitator, which does not tell it. It is read here while the payment is
 * verified there.
 */
export function classifying(facilitator: Facilitator, chains: readonly PayerChain[]): Facilitator {
  const byNetwork = new Map(chains.map((chain) => [`eip155:${chain.chainId}`, chain]));
  const classes = new WeakMap<object, Promise<PayerClass>>();

  async function read(payload: PaymentPayload, { network }: PaymentRequirements): Promise<PayerClass> {
    const chain = byNetwork.get(network);
    if (!chain) throw new FacilitatorDown(`payers on ${network} cannot be told apart`);
    const { signature, authorization } = signedTransferOf(payload);
    try {
      const code = await rpc<Hex>(chain.rpcUrl, 'eth_getCode', [authorization.from, 'latest']);
      return await chain.classify(authorization.from, signature, code);
    } catch (cause) {
      throw new FacilitatorDown('the chain does not tell what the payer is', { cause });
    }
  }

  function classify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<PayerClass> {
    const known = classes.get(payload);
    if (known) return known;
    const reading = read(payload, requirements);
    reading.catch(() => classes.delete(payload));
    classes.set(payload, reading);
    return reading;
  }

  return {
    ...facilitator,
    verify(payload, requirements) {
      classify(payload, requirements).catch(() => {});
      return facilitator.verify(payload, requirements);
    },
    classify,
  };
}
