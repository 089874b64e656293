import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateKeyAccount } from 'viem/accounts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';
import { storyOn } from '../../fixtures/story-stage.ts';
import { random } from '../../simulator/random.ts';
import { type Sent, sendGenerated } from './send.ts';
import { type KnownValues, knownValues } from './values.ts';

const HEAP = new URL('../heap.ts', import.meta.url).href;

/** A whole service with two agents and a few lots, and strangers who send it whatever its description allows. */
export interface RequestStage {
  readonly service: ServiceProcess;
  /** What the service's heap holds once it has collected, bytes. */
  heap(): Promise<number>;
  send(seed: string, requests: number): Promise<Sent>;
  stop(): Promise<void>;
}

export async function requestStage(): Promise<RequestStage> {
  const folder = await serviceFolder({ preload: HEAP });
  const service = await folder.start();
  const known = knownValues();
  const wallets = await furnish(folder, known);
  const { operatorApiKey } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    operatorApiKey: string;
  };
  return {
    service,
    async heap() {
      const told = (): string[] => service.output().match(/heap used \d+/g) ?? [];
      const before = told().length;
      service.kill('SIGUSR2');
      return await until('what the heap holds', async () => {
        const now = told();
        return now.length > before ? Number(now.at(-1)!.slice('heap used '.length)) : null;
      });
    },
    send: (seed, requests) =>
      sendGenerated({
        ...{ baseUrl: service.baseUrl, random: random(seed), known, wallets, requests },
        operatorKey: operatorApiKey,
        atOnce: 16,
      }),
    stop: () => folder.remove(),
  };
}

/** Puts up what can be asked about. @returns the wallets of its owners, and one of a stranger */
async function furnish(folder: ServiceFolder, known: KnownValues): Promise<PrivateKeyAccount[]> {
  const story = storyOn(folder);
  await story.importLists();
  const [seller, buyer, stranger] = await Promise.all([
    story.proceedingOwner(),
    story.proceedingOwner(),
    story.owner(),
  ]);
  const selling = await story.assemble(
    seller,
    'seller-one',
    'Buy and sell digital products, max 500 USDC per deal, for 30 days.',
  );
  const buying = await story.assemble(
    buyer,
    'buyer-one',
    'Buy digital products, max 500 USDC per deal, for 30 days.',
  );
  await story.give(buyer, buying.account, 500);
  for (const { address } of [seller, buyer, stranger]) known.add('owner', address);
  for (let i = 0; i < 3; i++) {
    const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
    known.note(lot);
    if (i === 0) await story.order(buyer, buying, lot, 110);
  }
  known.note({ handle: [selling.handle, buying.handle], account: [selling.account, buying.account] });
  return [seller, buyer, stranger];
}
