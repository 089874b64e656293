import {
  type AbiFunction,
  type Address,
  createWalletClient,
  erc721Abi,
  getAbiItem,
  http,
  numberToHex,
  publicActions,
  toFunctionSelector,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { certificatesAbi } from '../../../chain/abi/certificates.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { requireEmbedded } from '../../../runtime/cli/dev.ts';
import {
  confirmed,
  expectProblem,
  inDays,
  type WireAgent,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/** What certificates of real-world lots may cost the operator, for each owner. */

const MANDATE = `Buy and sell real-world assets, max 500 USDC per deal, until ${inDays(30)}.`;

let stage: WireStage;
let seller: PrivateKeyAccount;
let other: PrivateKeyAccount;
let sells: WireAgent;
let sellsToo: WireAgent;

beforeAll(async () => {
  stage = await wireStage({ CERTIFICATES_A_DAY: '2' });
  [seller, other] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, sellsToo] = await Promise.all([
    stage.agent(seller, { mandate: MANDATE }),
    stage.agent(other, { mandate: MANDATE }),
  ]);
});
afterAll(() => stage.stop());

const list = (owner: PrivateKeyAccount, agent: WireAgent, serial: string) =>
  stage.api.signedPost(owner, `/agent/${agent.handle}/assets`, {
    asset: { serial, serialKind: 'isbn' },
    description: 'A signed first edition',
    askUsd: 300,
    negotiable: false,
    category: 'real-world-assets',
    gate: 'deposit',
  });

const ISSUE = toFunctionSelector(getAbiItem({ abi: certificatesAbi, name: 'issue' }) as AbiFunction);

/** How many transactions the chain has that asked for a certificate, done or not: the operator's key sends others, too. */
async function issues(): Promise<number> {
  const head = Number(await rpc<string>(stage.rpcUrl, 'eth_blockNumber', []));
  const blocks = Array.from({ length: head + 1 }, (_, n) =>
    rpc<{ transactions: { input: string }[] }>(stage.rpcUrl, 'eth_getBlockByNumber', [numberToHex(n), true]),
  );
  const sent = (await Promise.all(blocks)).flatMap(({ transactions }) => transactions);
  return sent.filter(({ input }) => input.startsWith(ISSUE)).length;
}

it('certifies so many lots of one owner a day, sends nothing past them, and says how long to wait', async () => {
  expectStatus(await list(seller, sells, '9780306406157'), 201, 'the first certificate');
  expectStatus(await list(seller, sells, '9783161484100'), 201, 'the second certificate');

  expect(await issues()).toBe(2);
  const refused = await list(seller, sells, '9781861972712');
  expectProblem(refused, 429, 'rate-limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.detail).toContain('2 certificates a day');
  expect(await issues()).toBe(2);

  expectStatus(await list(other, sellsToo, '9781861972712'), 201, 'the certificate of another owner');
});

it('certifies no more for an agent that was handed on to another wallet, which costs nothing', async () => {
  const heir = await stage.proceedingOwner();
  const { tokenId } = (await stage.api.get(`/agent/${sells.handle}`)).body;
  const wallet = createWalletClient({
    account: seller,
    transport: http(stage.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const nft = requireEmbedded(stage.env).running.chains['1002']!.agentNft as Address;
  const args = [seller.address, heir.address, BigInt(tokenId)] as const;
  const call = { address: nft, abi: erc721Abi, functionName: 'transferFrom', args, chain: null } as const;
  await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract(call) });
  const profile = async () => (await stage.api.get(`/agent/${sells.handle}`)).body;
  await until('the heir', async () =>
    (await profile()).owner.toLowerCase() === heir.address.toLowerCase() ? true : null,
  );
  await confirmed(stage, heir, sells, 'mandate', { mandate: MANDATE });
  await until('its mandate', async () => ((await profile()).status === 'active' ? true : null));
  expectProblem(await list(heir, sells, '9780140449136'), 429, 'rate-limited');
});
