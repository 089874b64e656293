import { type AbiFunction, getAbiItem, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MintedAgent } from '../../chain/clients/agents.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { DealAnswer } from '../../runtime/determinations/determine-deal.ts';
import { AGENT_ABI } from '../../runtime/determinations/evidence/agent/agent-abi.ts';
import { atOneMoment } from '../../runtime/determinations/moment.ts';
import { pinBlocks, pinChains } from '../../runtime/determinations/pins.ts';
import { transferRanges } from '../../store/chain-sync/transfers.ts';
import { PlanningClient } from '../../store/planning-client.ts';
import { type DealStage, dealStage } from './deal-stage.ts';

/** Both sides of a deal determine on what is read once for both. */

let stage: DealStage;
let seller: MintedAgent;

beforeAll(async () => {
  stage = await dealStage();
  const { bob: owner, alice } = stage.chain.accounts;
  seller = await stage.agent('moment-seller', owner);
  await stage.agent('moment-buyer', alice);
}, 300_000);
afterAll(() => stage?.stop());

const CHAIN = 'eip155:1002';

/** What was judged and read, without times and blocks. */
const told = ({ record, evidence }: DealAnswer) => [
  record.determinations.map(({ id, verdict }) => [id, verdict]),
  evidence.determinations.map(({ id, seats }) => [
    id,
    seats.map(({ seat, facts, fault }) => [seat, facts, fault]),
  ]),
];

describe('the determinations of both sides of a deal', () => {
  it('read each chain through each client once, at one block, and come to the same as apart', async () => {
    const { bob: owner } = stage.chain.accounts;
    const determine = await stage.deal('moment-buyer', { handle: 'moment-seller', agent: seller, owner });
    for (const client of ['viem', 'ethers'] as const) {
      let asked: string[] = [];
      stage.liar.meanwhile(async ({ method, params }) => {
        asked.push(JSON.stringify([method, params]));
      });
      const deps = stage.through(client);
      const alone = await determine(deps, '2-of-2', 'buyer');
      await determine(deps, '2-of-2', 'seller');
      const apart = asked.length;
      asked = [];
      const moment = atOneMoment(deps);
      const both = await Promise.all([
        determine(moment, '2-of-2', 'buyer'),
        determine(moment, '2-of-2', 'seller'),
      ]);
      const states = asked.filter((one) => /"eth_(getCode|call|getLogs|getBalance)"/.test(one));
      expect(states.filter((one, i) => states.indexOf(one) !== i)).toEqual([]);
      expect(asked.length).toBeLessThan(apart * 0.7);
      const blocks = both.flatMap(({ evidence }) =>
        evidence.determinations.flatMap((d) => (d.blocks[CHAIN] ? [d.blocks[CHAIN].hash] : [])),
      );
      expect(new Set(blocks).size).toBe(1);
      expect(told(both[0])).toEqual(told(alone));
    }
    stage.liar.meanwhile(async () => {});
  }, 300_000);

  it('read state by the hash of the block, and ask only where logs were read whether it stands', async () => {
    const { bob: owner } = stage.chain.accounts;
    const determine = await stage.deal('moment-buyer', { handle: 'moment-seller', agent: seller, owner });
    for (const client of ['viem', 'ethers'] as const) {
      const asked: { method: string; block: unknown }[] = [];
      stage.liar.meanwhile(async ({ method, params }) => {
        asked.push({ method, block: method === 'eth_getBlockByNumber' ? params?.[0] : params?.at(-1) });
      });
      const moment = atOneMoment(stage.through(client));
      const both = await Promise.all([
        determine(moment, '2-of-2', 'buyer'),
        determine(moment, '2-of-2', 'seller'),
      ]);
      const [pinned] = both.map(({ evidence }) => evidence.determinations[0]!.blocks[CHAIN]!);
      const states = asked.filter(({ method }) =>
        ['eth_call', 'eth_getCode', 'eth_getStorageAt', 'eth_getBalance'].includes(method),
      );
      const atHash = { blockHash: pinned!.hash, requireCanonical: true };
      expect(states.filter(({ block }) => JSON.stringify(block) !== JSON.stringify(atHash))).toEqual([]);
      const stands = asked.filter((one) => one.method === 'eth_getBlockByNumber' && one.block !== 'latest');
      // Of each side: the transfers of the other's account, those between the two, and the moves of what is sold.
      expect(stands.length).toBeLessThanOrEqual(6);
    }
    stage.liar.meanwhile(async () => {});
  }, 300_000);

  it.each([
    ['mandate-compliance', 'remaining'],
    ['shill-collusion', 'keyIsLive'],
    ['double-pledge', 'ownerOf'],
  ])('come to no %s where the block is gone when %s is asked', async (id, functionName) => {
    const { bob: owner } = stage.chain.accounts;
    const determine = await stage.deal('moment-buyer', { handle: 'moment-seller', agent: seller, owner });
    await rpc(stage.chain.url, 'anvil_mine', ['0x4']);
    const data = toFunctionSelector(getAbiItem({ abi: AGENT_ABI, name: functionName }) as AbiFunction);
    let gone = false;
    stage.liar.meanwhile(async ({ method, params }) => {
      const [call] = (params ?? []) as { data?: string }[];
      if (gone || method !== 'eth_call' || !call?.data?.startsWith(data)) return;
      gone = true;
      await rpc(stage.chain.url, 'anvil_reorg', [2, []]);
    });
    const { record } = await determine(atOneMoment(stage.through('viem')), '2-of-2', 'buyer');
    stage.liar.meanwhile(async () => {});
    const found = record.determinations.find((one) => one.id === id)!;
    expect([gone, found.verdict]).toEqual([true, 'INCONCLUSIVE']);
  });

  it('ask the database about both sides in one statement, and are told of each what it is told apart', async () => {
    const { bob: owner } = stage.chain.accounts;
    const determine = await stage.deal('moment-buyer', { handle: 'moment-seller', agent: seller, owner });
    const sides = ['buyer', 'seller'] as const;
    const common = ({ evidence }: DealAnswer) =>
      evidence.determinations.map((of) => [of.id, 'common' in of ? of.common : null]);
    const apart = [];
    for (const side of sides) apart.push(common(await determine(stage.deps, '2-of-2', side)));
    const query = vi.spyOn(PlanningClient.prototype, 'query');
    const moment = atOneMoment(stage.deps);
    const both = await Promise.all(sides.map((side) => determine(moment, '2-of-2', side)));
    const names = query.mock.calls.map(([asked]) => (asked as { name?: string; text?: string }).text ?? '');
    query.mockRestore();
    expect(both.map(common)).toEqual(apart);
    for (const part of [
      'with me as materialized',
      'from deals d join agents a on a.handle in (d.seller, d.buyer)',
      'with asking as materialized',
      'select session_key from agents',
      'from transfer_ranges r cross join lateral',
      'select r.chain_id, r.from_block, r.to_block, b.hash from transfer_ranges r',
      'as reserved',
      'inner join "listings" as "l"',
    ])
      expect([part, names.filter((text) => text.includes(part)).length]).toEqual([part, 1]);
  }, 300_000);

  it('read anew after a reorganisation', async () => {
    const moment = atOneMoment(stage.deps);
    const first = await pinBlocks(moment, [1002]);
    const held = await transferRanges(moment.db);
    await rpc(stage.chain.url, 'anvil_mine', ['0x1']);
    const since = { chain_id: 1002n, from_block: 0n, to_block: 0n };
    await stage.deps.db.insertInto('transfer_ranges').values(since).execute();
    expect(await pinBlocks(moment, [1002])).toEqual(first);
    expect(await transferRanges(moment.db)).toEqual(held);
    const { blocks } = await pinChains(moment, [1002], { anew: true });
    expect(BigInt(blocks[CHAIN]!.number)).toBeGreaterThan(BigInt(first[CHAIN]!.number));
    expect(await pinBlocks(moment, [1002])).toEqual(blocks);
    expect((await transferRanges(moment.db)).get(1002)).toMatchObject({ toBlock: 0n });
  });
});
