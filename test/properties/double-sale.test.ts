import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  http,
  publicActions,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { requireEmbedded } from '../../runtime/cli/dev.ts';
import { attested } from '../fixtures/attested.ts';
import { type WireAgent, type WireStage, wireStage } from '../journeys/wire/wire-stage.ts';
import { type Random, random } from '../simulator/random.ts';

/**
 * One thing, and everybody who could sell or buy it twice, all at once and in any order, on a real service with its
 * database and its chain. The simulator plays many more of these; here the chain itself says who has the thing.
 */

const HISTORIES = 4;
const ASK = 40;

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyers: readonly PrivateKeyAccount[];
let sellers: readonly WireAgent[];
let buying: readonly WireAgent[];
let rpcUrl: string;
let usdc: Address;
let vault: Address;
let sales = 0;

beforeAll(async () => {
  stage = await wireStage({ WATCH_SECONDS: '0' });
  ({ rpcUrl, usdc, vault } = requireEmbedded(stage.env).running.chains['1002']!);
  seller = await stage.proceedingOwner();
  buyers = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  sellers = await Promise.all([stage.agent(seller), stage.agent(seller)]);
  buying = await Promise.all(buyers.map((owner) => stage.agent(owner)));
  await Promise.all(buyers.map((owner, i) => stage.moveUsd(owner, buying[i]!.account, '500')));
  for (const register of ['sanctions', 'known-scam']) {
    await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
    });
  }
});
afterAll(() => stage.stop());

const reader = () => createWalletClient({ transport: http(rpcUrl) }).extend(publicActions);

async function takeOut(
  asset: { contract: Address; tokenId: string },
  from: Address,
  to: Address,
): Promise<void> {
  const data = encodeFunctionData({
    abi: erc721Abi,
    functionName: 'transferFrom',
    args: [from, to, BigInt(asset.tokenId)],
  });
  const wallet = createWalletClient({ account: seller, transport: http(rpcUrl), pollingInterval: 20 }).extend(
    publicActions,
  );
  const call = {
    address: from,
    abi: agentAccountAbi as Abi,
    functionName: 'execute',
    args: [asset.contract, 0n, data, 0],
  };
  const hash = await wallet.writeContract({ ...call, gas: 400_000n, chain: null });
  await wallet.waitForTransactionReceipt({ hash });
}

/** Dollars of every agent, and of the vault that takes the fees, together. */
async function allMoney(): Promise<bigint> {
  const holders = [...sellers, ...buying].map((a) => a.account);
  const sums = await Promise.all(
    [...new Set([...holders, vault])].map((holder) =>
      reader().readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    ),
  );
  return sums.reduce((a, b) => a + b, 0n);
}

function shuffled<T>(r: Random, all: readonly T[]): T[] {
  const left = [...all];
  return Array.from({ length: left.length }, () => left.splice(r.below(left.length), 1)[0]!);
}

describe('one thing that is sold by everybody at once', () => {
  it.each(Array.from({ length: HISTORIES }, (_, n) => n))(
    'is sold once at most, in history %i',
    async (n) => {
      const r = random(`double sale ${n}`);
      const asset = await stage.mintTo(seller.address);
      await stage.moveToken(seller, asset, sellers[0]!.account);
      const before = await allMoney();
      // Listings that are to come or under way: as long as there are, there may be something to buy.
      let listing = 0;
      const list = (agent: WireAgent, gate: string) => {
        listing++;
        return async () => {
          await stage.api.signedPost(seller, `/agent/${agent.handle}/assets`, {
            asset: { contract: asset.contract, tokenId: asset.tokenId },
            description: 'One thing',
            askUsd: ASK,
            negotiable: false,
            category: 'digital-products',
            gate,
          });
          listing--;
        };
      };
      const buy = (i: number) => async () => {
        await until('something to buy, or nothing any more', async () => {
          const last = listing === 0;
          const answer = await stage.api.signedPost(buyers[i]!, '/order', {
            handle: buying[i]!.handle,
            side: 'buy',
            asset: { contract: asset.contract, tokenId: asset.tokenId },
            category: 'digital-products',
            limitUsd: ASK,
          });
          return answer.status === 201 || last ? true : null;
        });
      };
      const pledge = () =>
        stage.api.signedPost(seller, '/pledge', {
          wallet: seller.address,
          asset: { contract: asset.contract, tokenId: asset.tokenId },
          listingRef: `loan-${n}`,
        });
      const move = async () => {
        if (r.chance(0.5)) await takeOut(asset, sellers[0]!.account, sellers[1]!.account).catch(() => null);
      };
      const acts = [
        list(sellers[0]!, 'deposit'),
        list(sellers[0]!, 'deposit'),
        list(sellers[1]!, 'deposit'),
        list(sellers[1]!, 'owner-signed'),
        buy(0),
        buy(1),
        buy(0),
        move,
        ...(n === HISTORIES - 1 ? [pledge] : []),
      ];
      await Promise.all(shuffled(r, acts).map((act) => act()));
      // Whoever comes later tries again.
      await Promise.all([list(sellers[1]!, 'deposit')(), buy(1)()]);

      const deals = await until('every deal to end', async () => {
        const rows = await stage.db
          .selectFrom('deals')
          .innerJoin('matches', 'matches.match_id', 'deals.match_id')
          .select(['deals.state', 'deals.tx', 'deals.price'])
          .where('matches.asset_key', '=', asset.key)
          .execute();
        return rows.every((d) => ['recorded', 'stopped', 'failed'].includes(d.state)) ? rows : null;
      });
      const sold = deals.filter((d) => d.state === 'recorded');
      expect(sold.length).toBeLessThanOrEqual(1);
      sales += sold.length;

      const logs = await reader().getContractEvents({
        address: asset.contract,
        abi: erc721Abi,
        eventName: 'Transfer',
        args: { tokenId: BigInt(asset.tokenId) },
        fromBlock: 0n,
      });
      const accounts = buying.map((a) => a.account.toLowerCase());
      const toBuyers = logs.filter((log) => accounts.includes(log.args.to!.toLowerCase()));
      expect(toBuyers.map((log) => log.transactionHash)).toEqual(sold.map((d) => d.tx));
      // Not a cent came or went but between them.
      expect(await allMoney()).toBe(before);

      const live = await stage.db
        .selectFrom('listings')
        .select('listing_ref')
        .where('asset_key', '=', asset.key)
        .where('status', 'in', ['live', 'dealing'])
        .execute();
      expect(live.length).toBeLessThanOrEqual(sold.length === 1 ? 0 : 1);
      const held = await stage.db
        .selectFrom('reservations')
        .innerJoin('orders', 'orders.order_id', 'reservations.order_id')
        .select('orders.status')
        .where('orders.asset_key', '=', asset.key)
        .where('reservations.state', '=', 'held')
        .execute();
      expect(held.filter((o) => o.status !== 'resting')).toEqual([]);
    },
  );

  it('is sold in some of them', () => {
    expect(sales).toBeGreaterThan(0);
  });
});
