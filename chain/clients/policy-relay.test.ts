import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { ChainLog, ChainReader, ReadCall } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { relayPause } from './policy-relay.ts';
import type { RelayGuard } from './relay-call.ts';

const HEAD = 20n;
const TX: Hex = `0x${'7'.repeat(64)}`;
const policy: Hex = `0x${'15'.repeat(20)}`;

/** A chain with one pause of agent 3 in block 16. The signature with nonce 0 was used in the block `usedIn`. */
function pausedIn16(usedIn: bigint): ChainReader {
  const topics = encodeEventTopics({ abi: spendPolicyAbi, eventName: 'PausedSet', args: { agentId: 3n } });
  const data = encodeAbiParameters([{ type: 'bool' }, { type: 'bool' }], [true, false]);
  const log = { address: policy, topics, data, blockNumber: 16n, transactionHash: TX } as unknown as ChainLog;
  return {
    head: async () => ({ number: HEAD, hash: TX, timestamp: 0n }),
    read: async ({ functionName, block }: ReadCall) =>
      functionName === 'epochOf' ? 1 : (block as bigint) >= usedIn ? 1n : 0n,
    logs: async ({ fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint }) =>
      fromBlock <= 16n && 16n <= toBlock ? [log] : [],
  } as unknown as ChainReader;
}

const pause = (reader: ChainReader, since: bigint) =>
  relayPause(
    { reader, signer: {} as Signer, deployment: { policy } as Deployment, guard: {} as RelayGuard },
    {
      change: { tokenId: 3n, epoch: 1, nonce: 0n, deadline: 9, paused: true },
      ...{ signature: '0x', since },
    },
  );

describe('what an owner signed and the chain has', () => {
  it('is found where it stands', async () => {
    expect(await pause(pausedIn16(16n), 12n)).toBe(TX);
  });

  it('is found below the block at which it was asked for, when the chain went back and took it in again', async () => {
    expect(await pause(pausedIn16(16n), 18n)).toBe(TX);
  });

  it('is not taken for what the chain had before it was asked for', async () => {
    const another = pause(pausedIn16(19n), 18n);
    await expect(another).rejects.toMatchObject({ kind: 'reverted', errorName: 'BadOwnerSignature' });
  });
});
