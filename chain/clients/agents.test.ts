import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, type Hex, pad, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { agentNftAbi } from '../abi/agent-nft.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { RpcRefusal } from '../rpc/json-rpc.ts';
import type { ChainReader, ReadCall } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { findByPayment, type MintOrder, mintAgent } from './agents.ts';

const REF: Hex = `0x${'1'.repeat(64)}`;
const OTHER: Hex = `0x${'2'.repeat(64)}`;
const TX: Hex = `0x${'7'.repeat(64)}`;
const ACCOUNT: Hex = `0x${'c'.repeat(40)}`;
const deployment = {
  agentNft: `0x${'a'.repeat(40)}`,
  usdc: `0x${'d'.repeat(40)}`,
  deployedAtBlock: 1,
} as unknown as Deployment;

/** A chain on which the payment `ref` has minted agent 4, whose number every payment here has. */
function readerWhere(ref: Hex | null): ChainReader {
  const [event] = encodeEventTopics({ abi: agentNftAbi, eventName: 'AgentMinted' }) as [Hex];
  const log = {
    address: deployment.agentNft,
    topics: [event, pad(toHex(4), { size: 32 }), pad(ACCOUNT), pad(ACCOUNT)],
    data: encodeAbiParameters([{ type: 'uint8' }, { type: 'bytes32' }], [1, ref ?? REF]),
    ...{ blockNumber: 9n, blockHash: TX, transactionHash: TX, logIndex: 0 },
  };
  const answers: Record<string, unknown> = { agentByPayment: ref === null ? 0n : 4n, accountOf: ACCOUNT };
  return {
    head: async () => ({ number: 12n, hash: TX, timestamp: 0n }),
    read: async ({ functionName }: ReadCall) => answers[functionName],
    logs: async () => [log],
  } as unknown as ChainReader;
}

describe('the agent of a payment', () => {
  it('is told from none, and from that of another payment with the same number', async () => {
    expect(await findByPayment(readerWhere(REF), deployment, REF)).toEqual({
      ...{ tokenId: 4n, account: ACCOUNT, tx: TX },
    });
    expect(await findByPayment(readerWhere(null), deployment, REF)).toBeNull();
    expect(await findByPayment(readerWhere(OTHER), deployment, REF)).toBe('taken');
  });
});

describe('a mint that the contract refuses', () => {
  it('costs no gas: nothing is sent', async () => {
    const data = encodeErrorResult({ abi: agentNftAbi, errorName: 'PaymentAlreadyUsed', args: [REF, 4n] });
    const sent: unknown[] = [];
    const signer = {
      call: async () => {
        throw new RpcRefusal(3, 'execution reverted', data);
      },
      send: async (transaction: unknown) => {
        sent.push(transaction);
        return TX;
      },
      receipt: async () => ({ status: 'reverted', blockNumber: 9n, logs: [] }),
    } as unknown as Signer;
    const terms = {
      ...{ mandateHash: REF, validAfter: 0, expiry: 9, sides: 1, allowlistOnly: false, categories: 1n },
      ...{
        caps: { perDeal: 1n, dayCap: 1n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
        allow: [],
        deny: [],
      },
    };
    const order = { to: ACCOUNT, tier: 1, paymentRef: REF, key: ACCOUNT, keyValidUntil: 9, uri: '', terms };
    await expect(mintAgent(signer, deployment, order as unknown as MintOrder)).rejects.toMatchObject({
      ...{ kind: 'reverted', errorName: 'PaymentAlreadyUsed' },
    });
    expect(sent).toEqual([]);
  });
});
