import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { SimulationQuery } from '../../../chain/rpc/reader.ts';
import { chainReaders } from '../../../runtime/chain-readers.ts';
import { NO_SPANS } from '../../../runtime/telemetry/spans.ts';
import { type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

const WHO = `0x${'aa'.repeat(20)}` as const;
/** More than half of what a node simulates at a time. */
const QUERY: SimulationQuery = {
  ...{ block: 1n, number: 2n, time: 12n },
  calls: [{ from: WHO, to: WHO, data: '0x', value: 0n, gas: 30_000_000n }],
};

let nodes: WaywardRpc[] = [];
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
});

it.each([1, 2])(
  'both readers of a chain bound together what each of %i nodes simulates at a time',
  async (count) => {
    let [underWay, most] = [0, 0];
    nodes = await Promise.all(Array.from({ length: count }, () => waywardRpc()));
    for (const node of nodes)
      node.behave(async ({ method }) => {
        if (method === 'eth_chainId') return { result: '0x3ea' };
        underWay += 1;
        most = Math.max(most, underWay);
        // As long as another one that was asked at the same time takes to arrive.
        for (let turn = 0; turn < 200 && underWay < 2; turn++) await setImmediate();
        underWay -= 1;
        return { result: [{ calls: [{ status: '0x1', returnData: '0x', gasUsed: '0x5208', logs: [] }] }] };
      });
    const readers = chainReaders(
      {
        chainId: 1002,
        rpcUrls: nodes.map((node) => node.url) as [string, ...string[]],
        ...{ freshen: null, known: new Map() },
      },
      {
        config: { headAge: new Map(), stateProofs: new Set() },
        ...{ spans: NO_SPANS, now: () => new Date() },
      },
    );
    const outcomes = await Promise.all([readers.viem.simulate(QUERY), readers.ethers.simulate(QUERY)]);
    expect(outcomes.flat().map((one) => one.gasUsed)).toEqual([21_000n, 21_000n]);
    expect(most).toBeLessThanOrEqual(count);
  },
);
