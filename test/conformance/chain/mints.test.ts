import { encodeErrorResult, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import { findByPayment, mintAgent } from '../../../chain/clients/agents.ts';
import type { OrderedAgent } from '../../../chain/clients/minted-as-ordered.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { RpcRefusal } from '../../../chain/rpc/json-rpc.ts';
import type { ChainLog, ChainReader, LogQuery, ReadCall } from '../../../chain/rpc/reader.ts';
import type { Signer } from '../../../chain/tx/signer.ts';
import { mintLogs } from '../../fixtures/chain/mint-logs.ts';

/** Whoever has a minter's key sees the reference of a mint that is under way, and may mint with it first. */

const REF: Hex = `0x${'1'.repeat(64)}`;
const OTHER: Hex = `0x${'2'.repeat(64)}`;
const TX: Hex = `0x${'7'.repeat(64)}`;
const ACCOUNT: Hex = `0x${'c'.repeat(40)}`;
const OWNER: Hex = `0x${'0'.repeat(39)}1`;
const THIEF: Hex = `0x${'0'.repeat(39)}2`;
const KEY: Hex = `0x${'0'.repeat(39)}3`;
const deployment = {
  agentNft: `0x${'a'.repeat(40)}`,
  policy: `0x${'b'.repeat(40)}`,
  usdc: `0x${'d'.repeat(40)}`,
  deployedAtBlock: 1,
} as unknown as Deployment;

const terms = {
  ...{ mandateHash: REF, validAfter: 0, expiry: 9, sides: 1, allowlistOnly: false, categories: 1n },
  ...{ caps: { perDeal: 1n, dayCap: 1n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n } },
  ...{ allow: [], deny: [THIEF], offChain: [] },
};
const ordered: OrderedAgent & { key: Hex } = {
  to: OWNER,
  tier: 1,
  paymentRef: REF,
  key: KEY,
  keyValidUntil: 9,
  terms,
};

/** A chain on which agent 4, whose number every payment here has, was minted by such an order. */
function readerWhere(order: typeof ordered | null, later: readonly ChainLog[] = []): ChainReader {
  const minted = mintLogs(deployment, { tokenId: 4n, account: ACCOUNT }, order ?? ordered);
  const at = { blockNumber: 9n, blockHash: TX, transactionHash: TX, logIndex: 0 };
  const logs: ChainLog[] = [...minted.map((log) => ({ ...log, ...at })), ...later];
  const answers: Record<string, unknown> = { agentByPayment: order === null ? 0n : 4n, accountOf: ACCOUNT };
  return {
    head: async () => ({ number: 12n, hash: TX, timestamp: 0n }),
    read: async ({ functionName }: ReadCall) => answers[functionName],
    logs: async ({ address, fromBlock, toBlock }: LogQuery) =>
      logs.filter(
        (log) => log.address === address && log.blockNumber >= fromBlock && log.blockNumber <= toBlock,
      ),
  } as unknown as ChainReader;
}

describe('the agent of a payment', () => {
  const found = { tokenId: 4n, account: ACCOUNT, tx: TX, key: KEY };

  it('is told from none, and from that of another payment with the same number', async () => {
    expect(await findByPayment(readerWhere(ordered), deployment, ordered)).toEqual(found);
    expect(await findByPayment(readerWhere(null), deployment, ordered)).toBeNull();
    const other = readerWhere({ ...ordered, paymentRef: OTHER });
    expect(await findByPayment(other, deployment, ordered)).toBe('taken');
  });

  it.each<[string, Partial<OrderedAgent>]>([
    ['to another owner', { to: THIEF }],
    ['of another tier', { tier: 2 }],
    ['with a key that lives longer', { keyValidUntil: 10 }],
    ['with another mandate', { terms: { ...terms, mandateHash: OTHER } }],
    ['with a mandate that ends later', { terms: { ...terms, expiry: 10 } }],
    ['with wider caps', { terms: { ...terms, caps: { ...terms.caps, dayCap: 0n } } }],
    ['without the parties that are denied', { terms: { ...terms, deny: [] } }],
  ])('is not one that somebody else minted for it %s', async (_, change) => {
    const forged = readerWhere({ ...ordered, ...change });
    expect(await findByPayment(forged, deployment, ordered)).toBe('taken');
  });

  it('is told with the key that the mint granted, which may be somebody else’s', async () => {
    const forged = readerWhere({ ...ordered, key: THIEF });
    expect(await findByPayment(forged, deployment, ordered)).toEqual({ ...found, key: THIEF });
  });

  it('is the one that was ordered, whatever key and mandate its owner has set since', async () => {
    const since = mintLogs(deployment, { tokenId: 4n, account: ACCOUNT }, { ...ordered, key: THIEF })
      .filter(({ address }) => address === deployment.policy)
      .map((log) => ({ ...log, blockHash: TX, transactionHash: OTHER, logIndex: 9 }));
    for (const blockNumber of [9n, 10n]) {
      const later = since.map((log) => ({ ...log, blockNumber }));
      expect(await findByPayment(readerWhere(ordered, later), deployment, ordered)).toEqual(found);
    }
  });

  it('is not known where the node does not serve what it was minted with', async () => {
    const reader = readerWhere(ordered);
    const without: ChainReader = {
      ...reader,
      logs: async (query) => (query.address === deployment.policy ? [] : await reader.logs(query)),
    };
    await expect(findByPayment(without, deployment, ordered)).rejects.toThrow('does not serve the logs');
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
    await expect(mintAgent(signer, deployment, { ...ordered, uri: '' })).rejects.toMatchObject({
      ...{ kind: 'reverted', errorName: 'PaymentAlreadyUsed' },
    });
    expect(sent).toEqual([]);
  });
});
