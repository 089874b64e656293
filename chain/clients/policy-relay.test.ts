import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, type Hex } from 'viem';
import { expect, it } from 'vitest';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { RpcRefusal } from '../rpc/json-rpc.ts';
import type { ChainLog, ChainReader } from '../rpc/reader.ts';
import { relayPause } from './policy-relay.ts';
import type { Relay } from './relay-call.ts';

const POLICY: Hex = `0x${'15'.repeat(20)}`;
const change = { tokenId: 7n, epoch: 1, nonce: 0n, deadline: 2_000_000_000, paused: true };

/** An agent whose first signature is used, and a node that serves these logs of it. */
function relayOver(logs: readonly ChainLog[]): Relay {
  const reader = {
    chainId: 1002,
    head: async () => ({ number: 20n, hash: '0x1', timestamp: 1n }),
    read: async ({ functionName }: { functionName: string }) => (functionName === 'nonces' ? 1n : 1),
    logs: async ({ topics }: { topics: readonly (Hex | null)[] }) =>
      logs.filter((log) => topics.every((topic, i) => topic === null || topic === log.topics[i])),
  } as unknown as ChainReader;
  return { reader, deployment: { policy: POLICY, agentNft: POLICY } as Deployment } as Relay;
}

function paused(isPaused: boolean): ChainLog {
  const topics = encodeEventTopics({ abi: spendPolicyAbi, eventName: 'PausedSet', args: { agentId: 7n } });
  const data = encodeAbiParameters([{ type: 'bool' }, { type: 'bool' }], [isPaused, false]);
  const where = { blockNumber: 12n, blockHash: '0x2', transactionHash: '0xabc', logIndex: 0 } as const;
  return { address: POLICY, topics: topics as Hex[], data, ...where } as unknown as ChainLog;
}

const signed = { change, signature: '0x12' as Hex, since: 10n };

it('a signature that the node shows used is the transaction that used it', async () => {
  expect(await relayPause(relayOver([paused(true)]), signed)).toBe('0xabc');
});

it('a signature that was used for another change is refused for good', async () => {
  await expect(relayPause(relayOver([paused(false)]), signed)).rejects.toMatchObject({ kind: 'reverted' });
});

it('nobody gives a signature up because a node hides what it changed', async () => {
  await expect(relayPause(relayOver([]), signed)).rejects.toMatchObject({ kind: 'unknown' });
});

/** A node where so many signatures of the agent are used, and the policy refuses every call by this error. */
function refusing(nonce: bigint, data: Hex, epoch = 1): Relay {
  const reader = {
    head: async () => ({ number: 20n, hash: '0x1', timestamp: 1n }),
    read: async ({ functionName }: { functionName: string }) => {
      if (functionName === 'ownerOf') return POLICY;
      return functionName === 'nonces' ? nonce : epoch;
    },
  } as unknown as ChainReader;
  const call = async () => {
    throw new RpcRefusal(3, 'execution reverted', data);
  };
  const deployment = { policy: POLICY, agentNft: POLICY } as Deployment;
  return { reader, deployment, signer: { call } } as unknown as Relay;
}

const second = { ...signed, change: { ...change, nonce: 1n } };
const notTheOwners = encodeErrorResult({
  abi: spendPolicyAbi,
  errorName: 'BadOwnerSignature',
  args: [7n],
});

it('a signature waits for what its owner signed before it, which a node that lags or a reorg hides', async () => {
  await expect(relayPause(refusing(0n, notTheOwners), second)).rejects.toMatchObject({ kind: 'unknown' });
  const later = { ...signed, change: { ...change, nonce: 1n, epoch: 2 } };
  await expect(relayPause(refusing(1n, notTheOwners), later)).rejects.toMatchObject({ kind: 'unknown' });
});

it('a signature whose turn it is, or whose time is over, is refused for good', async () => {
  const errorName = 'BadOwnerSignature';
  await expect(relayPause(refusing(1n, notTheOwners), second)).rejects.toMatchObject({ errorName });
  await expect(relayPause(refusing(0n, notTheOwners, 2), second)).rejects.toMatchObject({ errorName });
  const over = encodeErrorResult({ abi: spendPolicyAbi, errorName: 'SignatureExpired', args: [1] });
  await expect(relayPause(refusing(0n, over), second)).rejects.toMatchObject({
    kind: 'reverted',
    errorName: 'SignatureExpired',
  });
});
