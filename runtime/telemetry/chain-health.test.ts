import { describe, expect, it } from 'vitest';
import { withFreshHead } from '../../chain/rpc/fresh-head.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { chainHealth } from './chain-health.ts';

const NOW = 1_700_000_000;
const now = () => new Date(NOW * 1000);

/** A node whose head is so old; null: it never answers. */
function reader(
  client: 'viem' | 'ethers',
  age: number | null,
  maxAgeSeconds: number | null = 120,
): ChainReader {
  const head = async () =>
    age === null
      ? await new Promise<never>(() => {})
      : { number: BigInt(1_000 - age), hash: '0x', timestamp: BigInt(NOW - age) };
  return withFreshHead({ client, chainId: 1002, head } as unknown as ChainReader, { maxAgeSeconds, now });
}

const healthOf = async (viem: ChainReader, ethers: ChainReader) =>
  await chainHealth({ readers: { viem, ethers }, funds: async () => [], roles: async () => [] }, now);

describe('the health of a chain', () => {
  it('is what both readers tell', async () => {
    const health = await healthOf(reader('viem', 2), reader('ethers', 4));
    expect(health).toEqual({
      block: '998',
      heads: [
        { reader: 'viem', block: '998', ageSeconds: 2, fault: null },
        { reader: 'ethers', block: '996', ageSeconds: 4, fault: null },
      ],
      signers: [],
    });
  });

  it.each([
    ['hangs', null, 'the second node (ethers) does not answer'],
    ['stands still', 300, 'the second node (ethers) is not at the present block'],
    ['lags', 100, 'the second node (ethers) is 98 seconds behind the other'],
  ])('is degraded where the second node %s', async (_, age, detail) => {
    expect(await healthOf(reader('viem', 2), reader('ethers', age))).toMatchObject({
      ...{ block: '998', status: 'degraded', detail },
    });
  });

  it('is degraded where the first node hangs, and has the block of the second', async () => {
    expect(await healthOf(reader('viem', null), reader('ethers', 4))).toMatchObject({
      ...{ block: '996', status: 'degraded', detail: 'the first node (viem) does not answer' },
    });
  });

  it('is down where neither can be used', async () => {
    expect(await healthOf(reader('viem', null), reader('ethers', 300))).toMatchObject({ status: 'down' });
  });

  it('takes a head of any age from a chain that mines on demand', async () => {
    const health = await healthOf(reader('viem', 0, null), reader('ethers', 900, null));
    expect(health.status).toBeUndefined();
  });
});
