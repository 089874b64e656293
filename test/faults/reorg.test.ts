import { type Hex, toHex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { verifyRecord } from '../../runtime/cli/record/record.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { type Story, storyOn } from '../fixtures/story-stage.ts';

/** Under a running service the chain removes blocks in which a match was settled, recorded and anchored. */

let folder: ServiceFolder;
afterEach(() => folder.remove());

const SELLS = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 150 USDC per deal and 200 USDC per day, for 30 days.';
const DAY = 86_400;

/** A deal at 105, ordered on a running service. */
async function orderedDeal(extra: Readonly<Record<string, string>> = {}) {
  folder = await serviceFolder();
  await folder.start(extra);
  const story = storyOn(folder);
  await story.importLists();
  const [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  const selling = await story.assemble(seller, 'seller-one', SELLS);
  const buying = await story.assemble(buyer, 'buyer-one', BUYS);
  const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
  await story.give(buyer, buying.account, 300);
  await story.order(buyer, buying, lot, 110);
  const { rpcUrl, ledger } = findRunning(folder.dataDir)!.chains['1002']!;
  const ask = <T>(method: string, params: readonly unknown[] = []) => rpc<T>(rpcUrl, method, params);
  return { story, selling, buying, lot, ask, rpcUrl, ledger };
}

/** The same, settled, recorded and anchored. */
async function settledDeal() {
  const ordered = await orderedDeal();
  const { recordId } = await ordered.story.recorded(ordered.buying, 'deal-settled');
  const { items } = (await ordered.story.api.get('/matches')).body;
  const { tx } = items[0] as { tx: Hex };
  return { ...ordered, recordId, tx };
}

type Ask = Awaited<ReturnType<typeof settledDeal>>['ask'];

/** Removes the block of a transaction and all later ones; the chain continues this many seconds later. */
async function takeBack(ask: Ask, tx: Hex, laterSeconds = 0): Promise<void> {
  await ask('evm_setAutomine', [false]);
  const receipt = await ask<{ blockNumber: Hex }>('eth_getTransactionReceipt', [tx]);
  const depth = Number(await ask<Hex>('eth_blockNumber')) - Number(receipt.blockNumber) + 1;
  await ask('anvil_reorg', [depth, []]);
  if (laterSeconds > 0) await ask('evm_increaseTime', [toHex(laterSeconds)]);
  await ask('evm_setAutomine', [true]);
  await ask('evm_mine');
}

/** Whether a record holds, for whoever verifies it now. */
async function holds(
  recordId: string,
  { rpcUrl, ledger }: Pick<Awaited<ReturnType<typeof settledDeal>>, 'rpcUrl' | 'ledger'>,
): Promise<boolean> {
  return (await verifyRecord(`http://127.0.0.1:${folder.env.PORT}/records/${recordId}`, rpcUrl, ledger)).ok;
}

/** The anchored record in place of another, once there is one. */
async function successorOf(recordId: string, { story, buying }: Awaited<ReturnType<typeof settledDeal>>) {
  const { recordId: id } = await until('the record that takes the place of the first', async () => {
    const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
    return (
      items.find(
        (r: { kind: string; recordId: string; state: string }) =>
          r.kind === 'deal-settled' && r.recordId !== recordId && r.state === 'anchored',
      ) ?? null
    );
  });
  return (await story.api.get(`/records/${id}`)).body as { recordId: string; record: { content: object } };
}

/** The transaction in which the match is settled, once it is another. */
async function movedFrom(tx: Hex, story: Story): Promise<Hex> {
  return await until('another settlement', async () => {
    const match = await matchOf(story);
    return match.tx !== undefined && match.tx !== tx ? (match.tx as Hex) : null;
  });
}

const matchOf = async (story: Story) =>
  (await story.api.get('/matches')).body.items[0] as { tx?: Hex; settledAt?: string };

describe('a settled match whose block vanishes', { timeout: 180_000 }, () => {
  it('is settled again exactly once by the same transaction, and its record and root are restored', async () => {
    const { story, selling, buying, lot, recordId, tx, ask, rpcUrl, ledger } = await settledDeal();
    await takeBack(ask, tx);

    await until('the settlement on chain again', async () =>
      (await story.chain().settlements()) === 1 ? true : null,
    );
    await story.recorded(buying, 'deal-settled');
    await until('the record held by the chain again', async () =>
      (await holds(recordId, { rpcUrl, ledger })) ? true : null,
    );
    expect(await story.chain().settlements()).toBe(1);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
    expect(await story.chain().usdcOf(selling.account)).toBe(102_900_000n);
    expect((await matchOf(story)).tx).toBe(tx);
    expect(await ask('eth_getTransactionReceipt', [tx])).toMatchObject({ status: '0x1' });
  });

  it('is settled again by a new transaction when the old one has expired, and a new record names it', async () => {
    const deal = await settledDeal();
    const { story, selling, recordId, tx, ask } = deal;
    // The signatures of the first settlement are valid for two minutes.
    await takeBack(ask, tx, 3_600);

    const moved = await movedFrom(tx, story);
    expect(await story.chain().settlements()).toBe(1);
    expect(await story.chain().usdcOf(selling.account)).toBe(102_900_000n);
    const successor = await successorOf(recordId, deal);
    expect(successor.record.content).toMatchObject({ tx: moved, supersedes: recordId });
    expect([await holds(recordId, deal), await holds(successor.recordId, deal)]).toEqual([false, true]);
  });

  it('is claimed by none of its records when it moved and was taken back then', async () => {
    const deal = await settledDeal();
    const { story, selling, recordId, tx, ask } = deal;
    await takeBack(ask, tx, 3_600);
    const moved = await movedFrom(tx, story);
    const successor = await successorOf(recordId, deal);
    await takeBack(ask, moved, 40 * DAY);

    await until('the settlement withdrawn', async () =>
      (await matchOf(story)).tx === undefined ? true : null,
    );
    const refused = await story.recorded(selling, 'order-refused');
    const { record } = (await story.api.get(`/records/${refused.recordId}`)).body;
    expect(record.content).toMatchObject({ supersedes: successor.recordId });
    const { retracted } = (await story.api.get(`/records/${successor.recordId}`)).body;
    expect(retracted.reason).toContain(refused.recordId);
    const { items } = (await story.api.get(`/agent/${selling.handle}/activity?limit=100`)).body;
    const withdrawn = (id: string) =>
      items.find((row: { recordId: string }) => row.recordId === id)?.withdrawn ?? null;
    const all = [recordId, successor.recordId, refused.recordId];
    expect(await Promise.all(all.map((id) => holds(id, deal)))).toEqual([false, false, true]);
    expect(all.map(withdrawn)).toEqual(['retracted', 'retracted', null]);
  });

  it('is no longer claimed when the chain now refuses it', async () => {
    const deal = await settledDeal();
    const { story, selling, recordId, tx, ask } = deal;
    await takeBack(ask, tx, 40 * DAY);

    await until('the settlement withdrawn', async () =>
      (await matchOf(story)).tx === undefined ? true : null,
    );
    expect(await story.chain().settlements()).toBe(0);
    expect(await story.chain().usdcOf(selling.account)).toBe(0n);
    const refused = await story.recorded(selling, 'order-refused');
    const { record } = (await story.api.get(`/records/${refused.recordId}`)).body;
    expect(record.content).toMatchObject({ supersedes: recordId });
    expect(await holds(recordId, deal)).toBe(false);
  });
});

describe('a settlement that needs many confirmations', { timeout: 180_000 }, () => {
  it('is recorded when it has them, and not before', async () => {
    const { story, buying, ask } = await orderedDeal({ CONFIRMATIONS_1002: '50' });
    await until('the settlement', async () => ((await matchOf(story)).tx === undefined ? null : true));
    const kinds = async () =>
      (await story.api.get(`/agent/${buying.handle}/activity`)).body.items.map(
        (r: { kind: string }) => r.kind,
      );
    // The other records of the deal are anchored earlier.
    await story.recorded(buying, 'determination');
    expect(await kinds()).not.toContain('deal-settled');
    await ask('anvil_mine', [toHex(50)]);
    await story.recorded(buying, 'deal-settled');
  });
});
