import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAddress } from 'viem/accounts';
import { until } from '../../runtime/cli/demo/client.ts';
import { fund } from '../../runtime/cli/dev.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../fixtures/story-stage.ts';
import { random } from '../simulator/random.ts';
import { type Sent, sendGenerated } from './requests/send.ts';
import { type KnownValues, knownValues } from './requests/values.ts';

/** For a hundred thousand questions at a cent, and some that cost more. */
const PAYS_USD = '10000';
const HEAP = new URL('./heap.ts', import.meta.url).href;

export interface Trader extends Agent {
  readonly owner: PrivateKeyAccount;
}

/** A whole service with two agents and a few lots, and strangers who send it whatever its description allows. */
export interface TortureStage {
  readonly folder: ServiceFolder;
  readonly service: ServiceProcess;
  readonly story: Story;
  readonly seller: Trader;
  readonly lots: readonly Lot[];
  /** What the service's heap holds once it has collected, bytes. */
  heap(): Promise<number>;
  /** @param perSecond as fast as they are answered when left out */
  send(seed: string, requests: number, perSecond?: number): Promise<Sent>;
  stop(): Promise<void>;
}

export async function tortureStage(): Promise<TortureStage> {
  const folder = await serviceFolder({ preload: HEAP });
  const service = await folder.start();
  const known = knownValues();
  const story = storyOn(folder);
  const { wallets, ...furnished } = await furnish(story, known);
  const payer = generatePrivateKey();
  await fund(folder.env, privateKeyToAddress(payer), PAYS_USD);
  const { operatorApiKey } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    operatorApiKey: string;
  };
  return {
    ...{ folder, service, story, ...furnished },
    async heap() {
      const told = (): string[] => service.output().match(/heap used \d+/g) ?? [];
      const before = told().length;
      service.kill('SIGUSR2');
      return await until('what the heap holds', async () => {
        const now = told();
        return now.length > before ? Number(now.at(-1)!.slice('heap used '.length)) : null;
      });
    },
    send: (seed, requests, perSecond) =>
      sendGenerated({
        ...{ baseUrl: service.baseUrl, random: random(seed), known, wallets, requests },
        operatorKey: operatorApiKey,
        payer,
        atOnce: 16,
        ...(perSecond === undefined ? {} : { perSecond }),
      }),
    stop: () => folder.remove(),
  };
}

export async function trader(story: Story, owner: PrivateKeyAccount, handle: string): Promise<Trader> {
  const mandate = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
  return { ...(await story.assemble(owner, handle, mandate)), owner };
}

interface Furnished extends Pick<TortureStage, 'seller' | 'lots'> {
  /** Of its owners, and of a stranger. */
  readonly wallets: readonly PrivateKeyAccount[];
}

/** Puts up what can be asked about. */
async function furnish(story: Story, known: KnownValues): Promise<Furnished> {
  await story.importLists();
  const owners = [await story.proceedingOwner(), await story.proceedingOwner()] as const;
  const wallets = [...owners, await story.owner()];
  const seller = await trader(story, owners[0], 'seller-one');
  const buyer = await trader(story, owners[1], 'buyer-one');
  await story.give(buyer.owner, buyer.account, 500);
  for (const { address } of wallets) known.add('owner', address);
  const lots: Lot[] = [];
  for (let i = 0; i < 3; i++) {
    const lot = await story.list(seller.owner, seller, { askUsd: 120, floorUsd: 100 });
    known.note(lot);
    lots.push(lot);
    if (i === 0) await story.order(buyer.owner, buyer, lot, 110);
  }
  known.note({ handle: [seller.handle, buyer.handle], account: [seller.account, buyer.account] });
  return { seller, lots, wallets };
}
