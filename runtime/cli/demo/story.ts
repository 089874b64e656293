import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { type Address, createWalletClient, erc20Abi, erc721Abi, type Hex, http, publicActions } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expectStatus, mined, type ServiceClient, serviceClient, until } from './client.ts';

/** What the demo needs from the machine it runs on: gas and test money for its wallets, and something to sell. */
export interface DemoStage {
  readonly baseUrl: string;
  readonly operatorKey: string;
  readonly chains: Readonly<Record<'1002' | '84532', { rpcUrl: string; usdc: Address; assets: Address }>>;
  fund(address: Address, usd: string): Promise<void>;
  mintAsset(owner: Address): Promise<{ contract: Address; tokenId: string }>;
  verifyRecord(recordId: string): Promise<{ anchored: boolean; root: Hex; tx: string }>;
  /** Called after every step, with a sentence that says what happened. */
  tell(chapter: string, sentence: string): void;
  readonly now: () => Date;
}

export interface DemoEnding {
  readonly recordUrl: string;
  readonly recordId: string;
  readonly clearingPriceUsd: number;
  readonly sellerGotUsd: number;
  readonly assetOwner: Address;
  readonly buyerAccount: Address;
}

const BAD_ADDRESS = '0x00000000000000000000000000000000deadbeef';

/** Plays the whole story as two owners and a stranger, over public routes, with standard clients and their own keys. */
export async function playDemo(stage: DemoStage): Promise<DemoEnding> {
  const api = serviceClient(stage.baseUrl);
  const [seller, buyer, stranger] = [1, 2, 3].map(() => privateKeyToAccount(generatePrivateKey())) as [
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
  ];
  const health = await api.get('/health');
  if (health.body?.status !== 'ok') stage.tell('health', `the service says ${health.body?.status}: going on`);
  await Promise.all([
    stage.fund(seller.address, '50'),
    stage.fund(buyer.address, '500'),
    stage.fund(stranger.address, '5'),
  ]);
  stage.tell('wallets', 'two owners and a stranger have new wallets, gas and test USDC');

  await importRegisters(api, stage);
  await buyDetermination(api, stage, stranger);

  const suffix = generatePrivateKey().slice(2, 8);
  const until31 = new Date(stage.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  await refusedMandate(api, stage, seller.address, `vague-${suffix}`);
  const sellerAgent = await assemble(
    api,
    stage,
    seller,
    `seller-${suffix}`,
    `Buy and sell digital products, max 500 USDC per deal, until ${until31}.`,
  );
  const buyerAgent = await assemble(
    api,
    stage,
    buyer,
    `buyer-${suffix}`,
    `Buy digital products, max 150 USDC per deal and 200 USDC per day, until ${until31}.`,
  );

  await chooseToGoOn(api, stage, [seller, buyer]);
  const listing = await listAsset(api, stage, seller, sellerAgent);
  await fundAccount(stage, buyer, buyerAgent.account, '300');
  const deal = await trade(api, stage, buyer, buyerAgent, listing);
  return finish(api, stage, { listing, deal, sellerAgent, buyerAgent });
}

interface Agent {
  readonly handle: string;
  readonly account: Address;
}

async function importRegisters(api: ServiceClient, stage: DemoStage): Promise<void> {
  const auth = { authorization: `Bearer ${stage.operatorKey}` };
  const row = (address: string, note: string) => `${JSON.stringify({ address, note })}\n`;
  const lists: [string, string][] = [
    ['sanctions', row('0x00000000000000000000000000000000005a11c7', 'made up for the demo')],
    ['known-scam', row(BAD_ADDRESS, 'made up for the demo')],
  ];
  // The operator declares the demo's lists complete, although they are short, and synthetic, which records then show.
  const completeAsOf = new Date(Date.now() - 60_000).toISOString();
  const declared = `mode=replace&completeAsOf=${completeAsOf}&minimum=1&synthetic=true`;
  for (const [name, lines] of lists) {
    const response = await fetch(`${stage.baseUrl}/register/${name}?source=demo&${declared}`, {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    if (!response.ok) throw new Error(`importing ${name}: ${response.status} ${await response.text()}`);
  }
  const refused = await api.post('/register/known-scam', {});
  if (refused.status !== 403) throw new Error(`a register was open to anybody: ${refused.status}`);
  stage.tell(
    'registers',
    'the operator imported two small synthetic lists, and vouched for them; without its key that is refused (403)',
  );
}

async function buyDetermination(
  api: ServiceClient,
  stage: DemoStage,
  stranger: PrivateKeyAccount,
): Promise<void> {
  const path = (address: string) => `/determination?address=${address}&chainId=1002`;
  const malformed = await api.get('/determination?address=0x12');
  if (malformed.status !== 400) throw new Error(`a malformed address got ${malformed.status} and not 400`);
  const unpaid = await api.get(path(stranger.address));
  if (unpaid.status !== 402) throw new Error(`an unpaid call got ${unpaid.status} and not 402`);
  const accepts = unpaid.body.accepts as { network: string; amount: string }[];
  stage.tell(
    'x402',
    `unpaid: 402, ${accepts.map((a) => `${a.amount} on ${a.network}`).join(' or ')}; malformed: 400 first`,
  );

  const payingFetch = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(stranger) }],
    spendControls: { allowedAssets: [{ network: 'eip155:1002', asset: stage.chains['1002'].usdc }] },
  });
  for (const [address, wanted] of [
    [stranger.address, 'CLEAN'],
    [BAD_ADDRESS, 'FLAGGED'],
  ] as const) {
    const response = await payingFetch(`${stage.baseUrl}${path(address)}`);
    const record = (await response.json()) as {
      verdict: string;
      reasons: string[];
      recorded: { recordUrl?: string };
    };
    if (response.status !== 200)
      throw new Error(`a paid call got ${response.status} ${JSON.stringify(record)}`);
    if (record.verdict !== wanted) {
      throw new Error(`${address} was ${record.verdict} and not ${wanted}: ${record.reasons.join('; ')}`);
    }
    stage.tell('x402', `paid one cent: ${address} is ${record.verdict} (${record.recorded.recordUrl})`);
  }
}

async function refusedMandate(
  api: ServiceClient,
  stage: DemoStage,
  owner: Address,
  handle: string,
): Promise<void> {
  const mandate = 'Spend up to 500 USDC per deal on travel until 04/05/2027.';
  const answer = await api.post('/agent/checkout', { owner, handle, mandate, tier: 'AGENT' });
  if (answer.status !== 422) throw new Error(`an ambiguous mandate got ${answer.status} and not 422`);
  stage.tell('mandate', `"${mandate}" is refused: ${answer.body.questions[0].question}`);
}

async function assemble(
  api: ServiceClient,
  stage: DemoStage,
  owner: PrivateKeyAccount,
  handle: string,
  mandate: string,
): Promise<Agent> {
  const checkout = expectStatus(
    await api.post('/agent/checkout', { owner: owner.address, handle, mandate, tier: 'AGENT' }),
    201,
    'opening a checkout',
  );
  stage.tell('mandate', `"${mandate}" reads as ${JSON.stringify(checkout.mandate)}`);
  const paid = await fetch(checkout.checkoutUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      number: '4242424242424242',
      exp_month: '12',
      exp_year: '2034',
      cvc: '123',
      name: 'Demo Owner',
    }),
    redirect: 'manual',
  });
  if (paid.status >= 400) throw new Error(`the card processor answered ${paid.status}: ${await paid.text()}`);
  await until(`the mint of ${handle}`, async () => {
    const { body } = await api.get(`/agent/checkout/${checkout.checkoutId}`);
    if (body.status === 'failed') throw new Error(`the mint of ${handle} failed`);
    return body.status === 'minted' ? body : null;
  });
  const agent = expectStatus(await api.get(`/agent/${handle}`), 200, 'reading the agent');
  stage.tell(
    'mint',
    `${handle} is agent NFT ${agent.tokenId}, account ${agent.account}, mandate ${agent.mandate.hash.slice(0, 18)}… on chain`,
  );
  return { handle, account: agent.account };
}

/** Nothing was sold here yet and no register of goods is imported: without this choice every first deal would stop. */
async function chooseToGoOn(
  api: ServiceClient,
  stage: DemoStage,
  owners: readonly PrivateKeyAccount[],
): Promise<void> {
  for (const owner of owners) {
    const choice = { wallet: owner.address, onInconclusive: 'proceed' };
    expectStatus(await api.signedPost(owner, '/settings', choice), 200, 'choosing to go on');
  }
  stage.tell(
    'settings',
    'no comparable sale and no register of goods is known here: both owners sign that their deals go on all the same',
  );
}

function walletOn(stage: DemoStage, account: PrivateKeyAccount) {
  const rpcUrl = stage.chains['1002'].rpcUrl;
  const chain = {
    id: 1002,
    name: '1002',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  };
  return createWalletClient({ account, chain, transport: http(rpcUrl), pollingInterval: 50 }).extend(
    publicActions,
  );
}

async function listAsset(api: ServiceClient, stage: DemoStage, owner: PrivateKeyAccount, agent: Agent) {
  const { contract, tokenId } = await stage.mintAsset(owner.address);
  const asset = { contract, tokenId };
  const body = {
    asset: { chainId: 1002, ...asset },
    description: 'A licence key for a drawing program',
    askUsd: 120,
    negotiable: true,
    floorUsd: 100,
    category: 'digital-products',
    gate: 'deposit',
  };
  const early = await api.signedPost(owner, `/agent/${agent.handle}/assets`, body);
  if (early.status !== 409) throw new Error(`an asset not yet deposited got ${early.status} and not 409`);
  const wallet = walletOn(stage, owner);
  const hash = await wallet.writeContract({
    address: asset.contract,
    abi: erc721Abi,
    functionName: 'transferFrom',
    args: [owner.address, agent.account, BigInt(asset.tokenId)],
  });
  await mined(wallet, hash);
  const listed = expectStatus(
    await api.signedPost(owner, `/agent/${agent.handle}/assets`, body),
    201,
    'listing the asset',
  );
  const rows = expectStatus(
    await api.get('/catalogue?category=digital-products'),
    200,
    'reading the catalogue',
  ).items;
  const row = rows.find((r: { listingRef: string }) => r.listingRef === listed.listingRef);
  if (!row) throw new Error('the listing is not in the catalogue');
  stage.tell(
    'listing',
    `before the deposit: 409; after it: ${listed.listingRef} at ${row.askUsd} USD, room not told`,
  );
  return { ...asset, listingRef: listed.listingRef as string };
}

async function fundAccount(
  stage: DemoStage,
  owner: PrivateKeyAccount,
  account: Address,
  usd: string,
): Promise<void> {
  const wallet = walletOn(stage, owner);
  const hash = await wallet.writeContract({
    address: stage.chains['1002'].usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [account, BigInt(usd) * 1_000_000n],
  });
  await mined(wallet, hash);
  stage.tell('wallets', `the buyer's owner moved ${usd} USDC into its agent's account`);
}

async function trade(
  api: ServiceClient,
  stage: DemoStage,
  owner: PrivateKeyAccount,
  agent: Agent,
  listing: { listingRef: string },
) {
  const order = (limitUsd: number) => ({
    handle: agent.handle,
    side: 'buy',
    listingRef: listing.listingRef,
    category: 'digital-products',
    limitUsd,
  });
  const over = await api.signedPost(owner, '/order', order(151));
  if (over.status !== 422 || over.body.code !== 'mandate-exceeded') {
    throw new Error(`an order over the mandate got ${over.status} and not 422`);
  }
  stage.tell('order', `151 USD is refused: ${over.body.detail}`);
  const placed = expectStatus(await api.signedPost(owner, '/order', order(110)), 201, 'placing the order');
  if (placed.status !== 'matched')
    throw new Error(`the order rests and did not match: ${JSON.stringify(placed)}`);
  stage.tell('match', `an order at 110 USD meets the lot and clears at ${placed.match.clearingPriceUsd} USD`);
  const match = await until('the settlement', async () => {
    const { body } = await api.get('/matches');
    const row = body.items.find((m: { matchId: string }) => m.matchId === placed.match.matchId);
    if (row?.tx) return row;
    const { body: deals } = await api.signedGet(owner, `/agent/${agent.handle}/deals`);
    const stopped = deals?.items?.find(
      (d: { state: string }) => d.state === 'stopped' || d.state === 'failed',
    );
    if (stopped) throw new Error(`the deal stopped: ${stopped.reason} ${JSON.stringify(stopped.findings)}`);
    return null;
  });
  stage.tell('settlement', `asset and money changed hands in one transaction, ${match.tx}`);
  return match as { matchId: string; clearingPriceUsd: number; tx: string };
}

async function finish(
  api: ServiceClient,
  stage: DemoStage,
  story: {
    listing: { contract: Address; tokenId: string };
    deal: { clearingPriceUsd: number };
    sellerAgent: Agent;
    buyerAgent: Agent;
  },
): Promise<DemoEnding> {
  const record = await until('the public record and its anchor', async () => {
    const { body } = await api.get(`/agent/${story.buyerAgent.handle}/activity`);
    return (
      body.items.find(
        (r: { kind: string; state: string }) => r.kind === 'deal-settled' && r.state === 'anchored',
      ) ?? null
    );
  });
  const proof = await stage.verifyRecord(record.recordId);
  if (!proof.anchored) throw new Error('the record is not under a root on chain');
  stage.tell(
    'record',
    `${record.recordUrl} is under root ${proof.root.slice(0, 18)}…, anchored in ${proof.tx}`,
  );
  const client = walletOn(stage, privateKeyToAccount(generatePrivateKey()));
  const assetOwner = await client.readContract({
    address: story.listing.contract,
    abi: erc721Abi,
    functionName: 'ownerOf',
    args: [BigInt(story.listing.tokenId)],
  });
  const got = await client.readContract({
    address: stage.chains['1002'].usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [story.sellerAgent.account],
  });
  if (assetOwner.toLowerCase() !== story.buyerAgent.account.toLowerCase())
    throw new Error('the asset is not with the buyer');
  stage.tell(
    'chain',
    `the asset is with ${story.buyerAgent.handle}; ${story.sellerAgent.handle} holds ${Number(got) / 1e6} USDC after the fee`,
  );
  return {
    recordUrl: record.recordUrl,
    recordId: record.recordId,
    clearingPriceUsd: story.deal.clearingPriceUsd,
    sellerGotUsd: Number(got) / 1e6,
    assetOwner,
    buyerAccount: story.buyerAgent.account,
  };
}
