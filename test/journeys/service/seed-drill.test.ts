import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { type Receiver, webhookReceiver } from '../../fixtures/servers/webhook-receiver.ts';
import {
  runCommand,
  type ServiceFolder,
  type ServiceProcess,
  serviceFolder,
} from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** The seed is replaced as the operator's page says, while agents trade and an owner is told of it. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const MANDATE = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';

let folder: ServiceFolder;
let service: ServiceProcess;
let story: Story;
let receiver: Receiver;
let [seller, buyer]: PrivateKeyAccount[] = [];
let [selling, buying]: Agent[] = [];
let lots: Lot[];

beforeAll(async () => {
  [folder, receiver] = await Promise.all([serviceFolder(), webhookReceiver()]);
  service = await folder.start();
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = [await story.proceedingOwner(), await story.proceedingOwner()];
  selling = await story.assemble(seller, 'seller-one', MANDATE);
  buying = await story.assemble(buyer, 'buyer-one', MANDATE);
  await story.give(buyer, buying.account, 1_000);
  lots = [];
  for (let i = 0; i < 2; i++) lots.push(await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }));
  const subscription = { wallet: seller.address, url: receiver.url, events: ['deal.settled'] };
  expectStatus(
    await story.api.signedPost(seller, '/webhooks/subscriptions', subscription),
    201,
    'subscribing',
  );
});
afterAll(async () => {
  await folder?.remove();
  await receiver?.stop();
});

const keys = async (...args: string[]) => await runCommand(['keys', ...args], { env: folder.env });
const seeds = async (): Promise<
  readonly { version: number; inUse: boolean; agents: number; secrets: number }[]
> =>
  (await keys('seeds')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const kept = (): string =>
  (JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as { sessionKeySeed: string })
    .sessionKeySeed;

async function restarted(): Promise<void> {
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  service = await folder.start();
}

/** Buys a lot, and waits until its seller was told by a signed message. */
async function trades(lot: Lot, messages: number): Promise<void> {
  const { status, body } = await story.order(buyer!, buying!, lot, 110);
  expect(status, JSON.stringify(body)).toBe(201);
  const sold = async () =>
    (await story.chain().ownerOf(lot)).toLowerCase() === buying!.account.toLowerCase() ? true : null;
  await until('the lot with its buyer', sold, { timeoutMs: 120_000 });
  expect(await receiver.until(messages)).toHaveLength(messages);
}

/** Has an owner replace the key of an agent: the next one is of the seed in use. */
async function replacesKey(owner: PrivateKeyAccount, { handle }: Agent): Promise<void> {
  const proposed = await story.api.signedPost(owner, `/agent/${handle}/session`, { action: 'rotate' });
  const { typedData, confirm } = expectStatus(proposed, 202, 'proposing');
  const signature = await owner.signTypedData(typedData);
  const path = new URL(confirm).pathname;
  await until('the key on chain', async () => {
    const act = expectStatus(await story.api.post(path, { signature }), 202, 'confirming');
    if (act.status === 'failed') throw new Error(act.reason);
    return act.status === 'done' ? true : null;
  });
}

it('a seed is replaced without a deal or a message lost, and goes once nothing rests on it', async () => {
  const first = kept();
  expect(await seeds()).toMatchObject([{ version: 0, inUse: true, agents: 2, secrets: 1 }]);
  expect(JSON.parse((await keys('rotate-seed')).stdout)).toMatchObject({ version: 1 });
  expect(kept()).toMatch(/^1:0x[0-9a-f]{64},0:/);
  await restarted();

  // Agents keep their keys, and the secret of the subscription opens, though another version is in use.
  expect(await seeds()).toMatchObject([
    { version: 1, inUse: true, agents: 0, secrets: 0 },
    { version: 0, inUse: false, agents: 2, secrets: 1 },
  ]);
  await trades(lots[0]!, 1);

  expect(JSON.parse((await keys('rewrap')).stdout)).toEqual({ rewrapped: 1 });
  const early = await keys('drop-seed', '0');
  expect([early.code, early.stderr]).toEqual([
    2,
    expect.stringContaining('2 agents and 0 webhook secrets rest on version 0: nothing was changed.'),
  ]);
  await replacesKey(seller!, selling!);
  await replacesKey(buyer!, buying!);
  const dropped = await keys('drop-seed', '0');
  expect([dropped.code, dropped.stderr]).toEqual([0, '']);
  expect(kept()).not.toContain(first.replace(/^\d+:/, ''));
  await restarted();

  expect(await seeds()).toMatchObject([{ version: 1, inUse: true, agents: 2, secrets: 1 }]);
  await trades(lots[1]!, 2);
});
