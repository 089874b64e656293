import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc721Abi,
  type Hex,
  parseAbiParameters,
  toEventSelector,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asset, assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import type { MintedAgent } from '../../chain/clients/agents.ts';
import { certificateOf, issueCertificate } from '../../chain/clients/certificates.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { insertPledge, type NewPledge } from '../../store/market/pledges.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { minedIn } from '../fixtures/chain/anvil.ts';
import { hostileToken } from '../fixtures/chain/hostile-tokens.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type DealStage, dealStage } from './deal-stage.ts';
import { assetThrough, hand, listOf, signerOf } from './goods-stage.ts';

/** Strangers send worthless things to an agent that is for sale, or have their contracts say that they did. */

const USD = 1_000_000n;
const LISTED = '0x00000000000000000000000000000000000bad01';

let stage: DealStage;
let sold: MintedAgent;
let question: Parameters<typeof determineDeal>[1];
let strangers = 0;

beforeAll(async () => {
  stage = await dealStage();
  await listOf(stage.database.db, 'stolen', [], new Date());
});
afterAll(() => stage?.stop());

/** Another agent, which nothing was sent to yet. @param before what happens before it is listed */
async function putForSale(handle: string, before: () => Promise<unknown> = async () => {}): Promise<void> {
  const { alice, bob } = stage.chain.accounts;
  const market = marketStage(stage.database.db);
  sold = await stage.agent(handle, alice);
  await stage.agent(`${handle}-buyer`, bob);
  await before();
  // Blocks that come quickly run ahead of the clock; what is in a later one came later.
  const { timestamp } = await stage.deps.readers.get(1002)!.viem.head();
  market.tick(Number(timestamp) * 1000 - market.now().getTime());
  const asset: Asset = {
    ...{ kind: 'token', chainId: 1002, tokenId: sold.tokenId.toString() },
    contract: lowerAddress(stage.chain.deployment.agentNft),
  };
  const listingRef = `listing-of-${handle}`;
  const ids = { matchId: `match-of-${handle}`, dealId: `deal-of-${handle}` };
  const [owner, buyer] = [lowerAddress(alice.address), lowerAddress(bob.address)];
  const own = { orderId: `sell-of-${handle}`, pledgeId: `pledge-of-${handle}` };
  const lot = await market.list(handle, { asset, owner, listingRef, ...own });
  const order = { limit: 100n * USD, owner: buyer, ids, orderId: `buy-of-${handle}` };
  await market.order(`${handle}-buyer`, lot, order);
  question = {
    ...{ dealId: ids.dealId, side: 'buyer', buyer: `${handle}-buyer`, seller: handle, asset, listingRef },
    ...{ category: 'digital-products', price: 100n * USD, depth: '2-of-2', performer: 'AGENT' },
  };
}

/** @param settlement the contract that says what was settled */
async function told(settlement = stage.chain.deployment.settlement) {
  const deployments = new Map([[1002, { ...stage.chain.deployment, settlement }]]);
  const { record, evidence } = await determineDeal({ ...stage.deps, deployments }, question);
  expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
  const pledges = record.determinations.filter(({ id }) => id === 'double-pledge');
  return { record, ofAgent: pledges[0]!, evidence };
}

const isUnread = ({ record }: Awaited<ReturnType<typeof told>>) =>
  record.inconclusive.includes('double-pledge/agent-contents');

const stranger = () => signerOf(stage.chain, stage.chain.accounts.bob);

/**
 * A contract of a stranger's that logs a transfer of one share to the account.
 * @param answers whether it says yes to every question, or refuses each
 */
async function logShare(answers: boolean): Promise<Asset> {
  const contract: Hex = `0x${(++strangers).toString(16).padStart(40, '9')}`;
  const topic = toEventSelector('TransferSingle(address,address,address,uint256,uint256)').slice(2);
  const to = sold.account.slice(2).toLowerCase();
  // Memory of two words, both 1, as the data; then the four topics, from the last to the first.
  const log = `60016000526001602052${`73${to}`}60006000${`7f${topic}`}60406000a400`;
  const start = (4 + log.length / 2).toString(16).padStart(2, '0');
  const answer = answers ? '5b600160005260206000f3' : '5b60006000fd';
  await rpc(stage.chain.url, 'anvil_setCode', [contract, `0x3660${start}57${log}${answer}`]);
  const hash = await stranger().send({ to: contract, data: '0x', gas: 200_000n });
  expect((await stranger().receipt(hash)).logs).toHaveLength(1);
  return { kind: 'token', chainId: 1002, contract, tokenId: '1' };
}

/** A contract of a stranger's that logs in one transaction that shares of so many tokens came to the account. */
async function logShares(count: number): Promise<void> {
  const contract: Hex = `0x${(++strangers).toString(16).padStart(40, '9')}`;
  const topic = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])').slice(2);
  const hex = (n: number, bytes: number): string => n.toString(16).padStart(2 * bytes, '0');
  const n = `61${hex(count, 2)}`;
  const to = sold.account.slice(2).toLowerCase();
  // One array at 0x40, which is both that of the ids and that of the amounts: 1 to the count.
  const arrays = `60406000526040602052${n}604052${n}5b808060051b60400152600190038060175750`;
  const log = `73${to}600060007f${topic}62${hex(96 + 32 * count, 3)}6000a400`;
  const start = hex(4 + (arrays.length + log.length) / 2, 1);
  await rpc(stage.chain.url, 'anvil_setCode', [contract, `0x3660${start}57${arrays}${log}5b60006000fd`]);
  const hash = await stranger().send({ to: contract, data: '0x', gas: 12_000_000n });
  expect((await stranger().receipt(hash)).logs).toHaveLength(1);
}

/** A contract of a stranger's by which the account has so many tokens. */
async function logTokens(count: number): Promise<Address> {
  const token = await hostileToken(stage.chain.url, stranger(), sold.account);
  await token.disarm(count);
  return lowerAddress(token.address);
}

/** The agent's owner pledges it, unless another wallet is named. */
async function pledge(asset: Asset, id: string, over: Partial<NewPledge> = {}): Promise<void> {
  const wallet = lowerAddress(stage.chain.accounts.alice.address);
  await stage.database.db.transaction().execute((trx) =>
    insertPledge(trx, {
      ...{ id, assetKey: assetKey(asset), listingRef: `loan-${id}`, wallet },
      ...{ lender: '0xlender', until: null, source: 'owner', proven: true, now: new Date() },
      ...over,
    }),
  );
}

const tokenOf = (contract: string, tokenId = '1'): Asset => ({
  ...{ kind: 'token', chainId: 1002, contract: lowerAddress(contract), tokenId },
});

/** A stranger's token that a listed address held before the account, as its contract says. */
async function listedBefore(): Promise<Asset> {
  const token = await hostileToken(stage.chain.url, stranger(), LISTED);
  await token.give(sold.account);
  return tokenOf(token.address);
}

describe('an agent that is sold', () => {
  it('is CLEAN where a contract logs shares that nobody holds', async () => {
    await putForSale('logged');
    await logShare(false);
    const found = await told();
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.evidence)).not.toContain('notLookedAt');
  });

  it('is CLEAN with shares of a contract that nobody knows, which are named', async () => {
    await putForSale('shared');
    const share = await logShare(true);
    const found = await told();
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.ofAgent)).toContain('not looked at: 1 that');
    expect(JSON.stringify(found.ofAgent)).toContain(assetKey(share));
  });

  it('is CLEAN with a unit of an edition whose collection the operator named, which is named', async () => {
    let share = tokenOf(LISTED) as TokenAsset;
    await putForSale('unit-of-vouched', async () => {
      share = (await logShare(true)) as TokenAsset;
    });
    await pledge(share, 'plg-unit', { wallet: '0xstranger' });
    async function* rows() {
      yield { key: share.contract, detail: { kind: 'collection' } };
    }
    const list = { register: 'labels', source: 'collections', asOf: new Date(), mode: 'replace' } as const;
    await importRegister(stage.database.db, { ...list, rows: rows() });
    const found = await told();
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.ofAgent)).toContain(assetKey(share));
    await listOf(stage.database.db, 'stolen', [assetKey(share)], new Date());
    expect(isUnread(await told())).toBe(true);
    await listOf(stage.database.db, 'stolen', [], new Date());
  });

  it('is INCONCLUSIVE with shares that are pledged', async () => {
    await putForSale('pledged-shares');
    await pledge(await logShare(true), 'plg-shares');
    expect(isUnread(await told())).toBe(true);
  });

  it('is not accused by a stranger’s contract that logs a listed holder, unless the operator named that collection', async () => {
    const { db } = stage.database;
    let spam = tokenOf(LISTED);
    await putForSale('sent-by-listed', async () => {
      spam = await listedBefore();
    });
    await listOf(db, 'sanctions', [LISTED], new Date());
    const found = await told();
    expect(found.record.flagged).toEqual([]);
    expect(JSON.stringify(found.ofAgent)).toContain(assetKey(spam));
    async function* rows() {
      yield { key: (spam as TokenAsset).contract, detail: { kind: 'collection' } };
    }
    const list = { register: 'labels', source: 'collections', asOf: new Date(), mode: 'replace' } as const;
    await importRegister(db, { ...list, rows: rows() });
    expect((await told()).record.flagged).toEqual(['provenance']);
    await listOf(db, 'sanctions', [`0x${'ff'.padStart(40, '0')}`], new Date());
  });

  it('is not accused by claims of strangers on their own contracts, however many, which are named first', async () => {
    await putForSale('pledged-by-others');
    const contract = await logTokens(13);
    for (let n = 1; n <= 13; n++)
      await pledge(tokenOf(contract, `${n}`), `plg-spam-${n}`, { wallet: '0xstranger' });
    const listed = await listedBefore();
    const { bob } = stage.chain.accounts;
    await marketStage(stage.database.db).list('pledged-by-others-buyer', {
      ...{ asset: listed, owner: lowerAddress(bob.address), listingRef: 'listing-of-spam' },
      ...{ orderId: 'sell-spam', pledgeId: 'pledge-of-spam' },
    });
    const worthless = await logTokens(20);
    const found = await told();
    expect(found.record.flagged).toEqual([]);
    expect(isUnread(found)).toBe(false);
    const named = JSON.stringify(found.ofAgent);
    expect(named).toContain('not looked at: 34 that');
    expect(named).not.toContain(worthless);
  });

  it.each([
    ['its owner', {}],
    ['the operator', { source: 'operator', wallet: '0xborrower' }],
  ] as const)('is FLAGGED by what %s pledged, of whatever contract', async (by, over) => {
    const handle = by.replaceAll(' ', '-');
    await putForSale(handle, async () => await pledge(tokenOf(await logTokens(1)), `plg-${handle}`, over));
    expect((await told()).record.flagged).toContain('double-pledge');
  });

  it('is CLEAN of pledges with more worthless tokens than are judged, and names some', async () => {
    await putForSale('thirteen');
    await logTokens(13);
    const found = await told();
    expect(isUnread(found)).toBe(false);
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.ofAgent)).toContain('not looked at: 13 that');
  });

  it('is FLAGGED with one that is pledged, or stolen, among hundreds that never came', async () => {
    const { db } = stage.database;
    const { chain } = stage;
    const { alice } = chain.accounts;
    await putForSale('hundreds');
    const tokenId = await assetThrough(chain, [alice]);
    await hand(chain, chain.deployment.assets, tokenId, alice, sold.account);
    const worthless = await logTokens(250);
    expect(isUnread(await told())).toBe(false);
    const contract = lowerAddress(chain.deployment.assets);
    const inside: Asset = { kind: 'token', chainId: 1002, contract, tokenId: tokenId.toString() };
    await listOf(db, 'stolen', [assetKey(inside)], new Date());
    expect((await told()).record.flagged).toContain('provenance');
    await listOf(db, 'stolen', [], new Date());
    // In the order of their keys it is the last of all.
    await pledge({ ...inside, contract: worthless, tokenId: '99' }, 'plg-hidden');
    expect((await told()).record.flagged).toContain('double-pledge');
  });

  it('is judged where one transaction logs more than are looked up at once, by what is known among them', async () => {
    const { db } = stage.database;
    const { chain } = stage;
    const { alice } = chain.accounts;
    await putForSale('flooded');
    const tokenId = await assetThrough(chain, [alice]);
    await hand(chain, chain.deployment.assets, tokenId, alice, sold.account);
    await logShares(20_001);
    const found = await told();
    expect(isUnread(found)).toBe(false);
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.ofAgent)).toMatch(/not looked at: 19\d{3} that/);
    const contract = lowerAddress(chain.deployment.assets);
    const inside: Asset = { kind: 'token', chainId: 1002, contract, tokenId: tokenId.toString() };
    await listOf(db, 'stolen', [assetKey(inside)], new Date());
    expect((await told()).record.flagged).toContain('provenance');
    await listOf(db, 'stolen', [], new Date());
  });
});

/** A certificate of Bob's, who pledged what it names to somebody that he made up. */
async function certificateOfBob(serial: string, wallet = stage.chain.accounts.bob.address): Promise<Asset> {
  const { deployment, accounts } = stage.chain;
  const key = `serial:generic:${serial}`;
  const operator = signerOf(stage.chain, accounts.operator);
  await issueCertificate(operator, deployment, { to: accounts.bob.address, serial: key, approve: false });
  const reader = stage.deps.readers.get(1002)!.viem;
  const { live } = await certificateOf(reader, deployment, key, (await reader.head()).number);
  await pledge(parseAssetKey(key), `plg-${serial}`, { wallet: lowerAddress(wallet) });
  return tokenOf(deployment.certificates, `${live}`);
}

const give = async (asset: Asset): Promise<void> => {
  const { contract, tokenId } = asset as TokenAsset;
  await hand(stage.chain, contract as Address, BigInt(tokenId), stage.chain.accounts.bob, sold.account);
};

/** What is mined from now on is in a later second than the listing. */
const later = () => rpc(stage.chain.url, 'evm_increaseTime', ['0x2']);

const demoAsset = async (owner = stage.chain.accounts.bob): Promise<Asset> =>
  tokenOf(stage.chain.deployment.assets, `${await assetThrough(stage.chain, [owner])}`);

describe('an agent that a stranger gave something', () => {
  it('is not accused by a certificate with a lien that came since it was listed, or before', async () => {
    await putForSale('given-certificate', async () => await give(await certificateOfBob('ACME000110')));
    await later();
    const late = await certificateOfBob('ACME000111');
    await give(late);
    const found = await told();
    expect(found.record.flagged).toEqual([]);
    expect(isUnread(found)).toBe(false);
    expect(JSON.stringify(found.ofAgent)).toContain('may be stolen or pledged: 1, such as');
    expect(JSON.stringify(found.ofAgent)).toContain(assetKey(late));
  });

  it('is FLAGGED by a certificate that whoever owned the agent pledged while it lay there', async () => {
    const { alice, carol } = stage.chain.accounts;
    const { agentNft } = stage.chain.deployment;
    await putForSale('pledged-by-former', async () => {
      await hand(stage.chain, agentNft, sold.tokenId, alice, carol.address);
      await give(await certificateOfBob('ACME000112', carol.address));
      await hand(stage.chain, agentNft, sold.tokenId, carol, alice.address);
    });
    expect((await told()).record.flagged).toContain('double-pledge');
  });

  it('is CLEAN of pledges with thirteen things and a stolen one that came since, and says so', async () => {
    await putForSale('given-thirteen');
    await later();
    const all: Asset[] = [];
    for (let n = 0; n < 13; n++) all.push(await demoAsset());
    await listOf(stage.database.db, 'stolen', [assetKey(all[12]!)], new Date());
    for (const one of all) await give(one);
    const found = await told();
    expect(found.record.flagged).toEqual([]);
    expect(found.ofAgent.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.ofAgent)).toContain(
      'was not looked at, so that it may be stolen or pledged: 13',
    );
    await listOf(stage.database.db, 'stolen', [], new Date());
  });

  it('is FLAGGED with a stolen thing that was there before, or that its owner moved in since', async () => {
    const { db } = stage.database;
    const { alice } = stage.chain.accounts;
    const [before, since] = [await demoAsset(), await demoAsset(alice)];
    await putForSale('stolen-inside', () => give(before));
    await later();
    await hand(
      stage.chain,
      stage.chain.deployment.assets,
      BigInt((since as TokenAsset).tokenId),
      alice,
      sold.account,
    );
    for (const stolen of [before, since]) {
      expect((await told()).record.flagged).toEqual([]);
      await listOf(db, 'stolen', [assetKey(stolen)], new Date());
      expect((await told()).record.flagged).toContain('provenance');
      await listOf(db, 'stolen', [], new Date());
    }
  });

  it('is FLAGGED with a stolen thing that was in it, taken out and sent back by a second wallet since', async () => {
    const { db } = stage.database;
    const { accounts, deployment } = stage.chain;
    const inside = await demoAsset(accounts.alice);
    const id = BigInt((inside as TokenAsset).tokenId);
    await putForSale('one-hop', async () => {
      await hand(stage.chain, deployment.assets, id, accounts.alice, sold.account);
      await listOf(db, 'stolen', [assetKey(inside)], new Date());
    });
    expect((await told()).record.flagged).toContain('provenance');
    await later();
    await takeOut(inside);
    await give(inside);
    expect((await told()).record.flagged).toContain('provenance');
    await listOf(db, 'stolen', [], new Date());
  });

  it('is FLAGGED with a stolen thing that it bought itself since', async () => {
    const { db } = stage.database;
    await putForSale('bought-since');
    await later();
    const bought = (await demoAsset()) as TokenAsset;
    await listOf(db, 'stolen', [assetKey(bought)], new Date());
    await give(bought);
    expect((await told()).record.flagged).toEqual([]);
    const settlement = await settlements();
    await settles(settlement, bought, { buyer: sold.account });
    const { record } = await told(settlement);
    expect(record.flagged).toContain('provenance');
    await listOf(db, 'stolen', [], new Date());
  });

  it('is not accused by what it sold in a deal, or bought and sold since, and its buyer sends back', async () => {
    const { db } = stage.database;
    const settlement = await settlements();
    const before = await demoAsset();
    await putForSale('sent-back', async () => {
      await give(before);
      await takeOut(before);
      await settles(settlement, before, { seller: sold.account });
    });
    await later();
    const since = await demoAsset();
    await give(since);
    await settles(settlement, since, { buyer: sold.account });
    await takeOut(since);
    await settles(settlement, since, { seller: sold.account });
    await listOf(db, 'stolen', [before, since].map(assetKey), new Date());
    for (const one of [before, since]) await give(one);
    const found = await told(settlement);
    expect(found.record.flagged).toEqual([]);
    expect(isUnread(found)).toBe(false);
    expect(JSON.stringify(found.ofAgent)).toContain('may be stolen or pledged: 2, such as');
    // Of the same it would be accused where no deal took them out.
    expect((await told()).record.flagged).toContain('provenance');
    await listOf(db, 'stolen', [], new Date());
  });

  it.each([
    ['by a stranger', () => stage.chain.accounts.bob],
    ['by its owner', () => stage.chain.accounts.alice],
  ])(
    'is FLAGGED with a stolen thing that it had sold and that came back %s before it was listed',
    async (by, who) => {
      const { db } = stage.database;
      const { deployment } = stage.chain;
      const settlement = await settlements();
      const inside = await demoAsset(who());
      const id = BigInt((inside as TokenAsset).tokenId);
      const put = () => hand(stage.chain, deployment.assets, id, who(), sold.account);
      await putForSale(`back-${by.replaceAll(' ', '-')}`, async () => {
        await put();
        await takeOut(inside, who().address);
        await settles(settlement, inside, { seller: sold.account });
        await put();
        await takeOut(inside);
      });
      await later();
      await give(inside);
      await listOf(db, 'stolen', [assetKey(inside)], new Date());
      expect((await told(settlement)).record.flagged).toContain('provenance');
      await listOf(db, 'stolen', [], new Date());
    },
  );
});

/** The account of the agent gives a thing away by a bare transfer. */
async function takeOut(asset: Asset, to: Address = stage.chain.accounts.bob.address): Promise<void> {
  const { contract, tokenId } = asset as TokenAsset;
  const { url } = stage.chain;
  await rpc(url, 'anvil_setBalance', [sold.account, '0x8ac7230489e80000']);
  await rpc(url, 'anvil_impersonateAccount', [sold.account]);
  const args = [sold.account, to, BigInt(tokenId)] as const;
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'transferFrom', args });
  const sent = { from: sold.account, to: contract, gas: '0x7a120', data };
  await minedIn(url, await rpc(url, 'eth_sendTransaction', [sent]));
}

/** A contract that says what the settlement contract does; see {@link settles}. */
async function settlements(): Promise<Address> {
  const address: Address = `0x${(++strangers).toString(16).padStart(40, '9')}`;
  // It logs what it is called with: four topics, then the data.
  const code = '0x366000600037606051604051602051600051608036036080a400';
  await rpc(stage.chain.url, 'anvil_setCode', [address, code]);
  return address;
}

/** Has that contract say that an account bought something, or sold it. */
async function settles(
  settlement: Address,
  asset: Asset,
  side: { readonly buyer?: Address; readonly seller?: Address },
): Promise<void> {
  const { contract, tokenId } = asset as TokenAsset;
  const args = { dealId: `0x${'11'.repeat(32)}`, seller: settlement, buyer: settlement, ...side } as const;
  const topics = encodeEventTopics({ abi: settlementAbi, eventName: 'DealSettled', args }) as Hex[];
  const fields = encodeAbiParameters(parseAbiParameters('address, uint256, address, uint256, uint256'), [
    ...([contract as Address, BigInt(tokenId), stage.chain.deployment.usdc, USD, 0n] as const),
  ]);
  const hash = await stranger().send({ to: settlement, data: concat([...topics, fields]), gas: 200_000n });
  expect((await stranger().receipt(hash)).logs).toHaveLength(1);
}
