import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { fund, mintAsset } from '../../../runtime/cli/dev.ts';
import type { Agent, Lot } from '../../fixtures/story-stage.ts';
import type { MeasuredService } from './service.ts';

export interface Trader extends Agent {
  readonly owner: PrivateKeyAccount;
}

export interface Wanted {
  readonly handle: string;
  readonly mandate: string;
  readonly tier?: 'AGENT' | 'EXECUTOR';
  /** Test money for its account, whole dollars. */
  readonly usd?: number;
}

/** Several at once, at most `callers`. The answers are in the order of what was asked. */
export async function byCallers<A, B>(
  items: readonly A[],
  callers: number,
  work: (item: A, i: number) => Promise<B>,
): Promise<B[]> {
  const done: B[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      done[i] = await work(items[i]!, i);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return done;
}

/**
 * Agents that are bought, minted and funded as anybody's are. Their owners have chosen to go on when something could
 * not be judged.
 */
export async function mintTraders(
  { folder, story }: MeasuredService,
  wanted: readonly Wanted[],
): Promise<Trader[]> {
  const traders = await byCallers(wanted, 6, async ({ handle, mandate, tier = 'AGENT' }): Promise<Trader> => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const choice = { wallet: owner.address, onInconclusive: 'proceed' };
    const chosen = await story.api.signedPost(owner, '/settings', choice);
    if (chosen.status !== 200) throw new Error(`settings: ${chosen.status} ${JSON.stringify(chosen.body)}`);
    const asked = { owner: owner.address, handle, mandate, tier };
    const opened = await story.api.post('/agent/checkout', asked);
    if (opened.status !== 201) throw new Error(`${handle}: ${opened.status} ${JSON.stringify(opened.body)}`);
    const checkout = { ...opened.body, handle };
    await story.pay(checkout);
    return { ...(await story.minted(checkout)), owner };
  });
  // The operator's key sends these: one after the other, so that its transactions stay in order.
  for (const [i, { usd = 0 }] of wanted.entries())
    if (usd > 0) await fund(folder.env, traders[i]!.account, String(usd));
  return traders;
}

export interface Terms {
  readonly askUsd: number;
  readonly floorUsd?: number;
  readonly category?: string;
}

/** Gives each seller in turn a new asset. @returns token ids, to be listed by `listLot` */
export async function depositAssets(
  { folder }: MeasuredService,
  sellers: readonly Trader[],
  count: number,
): Promise<(Lot & { seller: Trader })[]> {
  const deposited: (Lot & { seller: Trader })[] = [];
  for (let i = 0; i < count; i++) {
    const seller = sellers[i % sellers.length]!;
    const { contract, tokenId } = await mintAsset(folder.env, seller.account);
    deposited.push({ contract, tokenId, listingRef: '', seller });
  }
  return deposited;
}

/** Lists what was deposited. @throws Error when the service refuses it */
export async function listLot(
  { story }: MeasuredService,
  { seller, contract, tokenId }: Lot & { seller: Trader },
  { category = 'digital-products', ...terms }: Terms,
): Promise<Lot & { seller: Trader }> {
  const listed = await story.api.signedPost(seller.owner, `/agent/${seller.handle}/assets`, {
    asset: { chainId: 1002, contract, tokenId },
    description: 'A thing',
    negotiable: true,
    category,
    gate: 'deposit',
    ...terms,
  });
  if (listed.status !== 201) throw new Error(`listing: ${listed.status} ${JSON.stringify(listed.body)}`);
  return { seller, contract, tokenId, listingRef: listed.body.listingRef };
}
