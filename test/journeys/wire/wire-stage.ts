import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Address, createWalletClient, erc20Abi, erc721Abi, type Hex, http, publicActions } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../agents/errors.ts';
import {
  type Answer,
  expectStatus,
  type ServiceClient,
  serviceClient,
  until,
} from '../../../runtime/cli/demo/client.ts';
import { fund, mintAsset, requireEmbedded } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import type { Database } from '../../../store/database.ts';
import { heldToDescription } from '../../fixtures/described.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';

/** A real service in its own process, on a database that the test can read, and the people who call it. */
export interface WireStage {
  readonly baseUrl: string;
  /** Every answer is checked against the service's own description. */
  readonly api: ServiceClient;
  readonly db: Database;
  readonly operatorKey: string;
  readonly databaseUrl: string;
  readonly cardSecretKey: string;
  /** The service's settings, for its commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly usdc: Address;
  /** Chain 1002. */
  readonly rpcUrl: string;
  readonly ledger: Address;
  /** An owner who has chosen nothing: whatever is FLAGGED or could not be judged stops the deal. */
  owner(usd?: string): Promise<PrivateKeyAccount>;
  /**
   * An owner who has chosen to go on when price, provenance or bidding could not be judged, as happens here without
   * lists.
   */
  proceedingOwner(usd?: string): Promise<PrivateKeyAccount>;
  /**
   * A minted agent of this owner, or of another who need not pay; by default its mandate trades digital products both
   * ways.
   */
  agent(
    owner: PrivateKeyAccount,
    terms?: { mandate?: string; tier?: 'AGENT' | 'EXECUTOR'; owner?: Address; into?: Address },
  ): Promise<WireAgent>;
  mintTo(owner: Address): Promise<{ contract: Address; tokenId: string; key: string }>;
  /** Moves a token, or dollars, as its owner. */
  moveToken(
    owner: PrivateKeyAccount,
    asset: { contract: Address; tokenId: string },
    to: Address,
  ): Promise<void>;
  /** Lets the settlement contract, or whom else, take a token from its owner's wallet. */
  approve(
    owner: PrivateKeyAccount,
    asset: { contract: Address; tokenId: string },
    spender?: Address,
  ): Promise<void>;
  moveUsd(owner: PrivateKeyAccount, to: Address, usd: string): Promise<void>;
  /** Puts a token into the agent's account and lists it. @returns the listing and the asset */
  listed(owner: PrivateKeyAccount, agent: WireAgent, terms?: Record<string, unknown>): Promise<WireListing>;
  stop(): Promise<void>;
}

export interface WireAgent {
  readonly handle: string;
  readonly account: Address;
}

export interface WireListing {
  readonly listingRef: string;
  readonly contract: Address;
  readonly tokenId: string;
  readonly key: string;
}

export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
export const TRADES = `Buy and sell digital products, max 500 USDC per deal, until ${inDays(30)}.`;

/** Checks a refusal against the interface: the status, the code, and every member of a problem body. */
export function expectProblem(answer: Answer, status: number, code: ErrorCode): void {
  const told = `${answer.status} ${answer.body?.code ?? ''} ${answer.body?.detail ?? ''}`;
  expect({ status: answer.status, code: answer.body?.code }, told).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({
    title: ERRORS[code].title,
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^urn:request:/),
    type: expect.stringMatching(new RegExp(`/errors/${code}$`)),
    requestId: answer.headers.get('x-request-id'),
  });
}

/**
 * Has an owner change the terms or the session of its agent: asks, signs everything that it is given, and waits until
 * the chain has it and the agent shows it.
 */
export async function confirmed(
  { api, baseUrl }: Pick<WireStage, 'api' | 'baseUrl'>,
  by: PrivateKeyAccount,
  { handle }: WireAgent,
  what: 'mandate' | 'session',
  body: Record<string, unknown>,
): Promise<void> {
  const asked = await api.signedPost(by, `/agent/${handle}/${what}`, body);
  const { typedData, keyTypedData, confirm } = expectStatus(asked, 202, `asking for a ${what}`);
  const signed = {
    signature: await by.signTypedData(typedData),
    ...(keyTypedData === undefined ? {} : { keySignature: await by.signTypedData(keyTypedData) }),
  };
  await until(`the chain to have the ${what} of ${handle}`, async () => {
    const said = await api.post(confirm.slice(baseUrl.length), signed);
    const act = expectStatus(said, 202, 'confirming');
    if (act.status === 'failed') throw new Error(act.reason);
    return act.status === 'done' ? true : null;
  });
}

/**
 * @param settings further settings of the service besides its database
 * @param before runs on the database before the service starts
 */
export async function wireStage(
  settings: Readonly<Record<string, string>> = {},
  before: (db: Database) => Promise<void> = async () => {},
): Promise<WireStage> {
  const [folder, database] = await Promise.all([serviceFolder(), testDatabase({ max: 4 })]);
  await before(database.db);
  const process: ServiceProcess = await folder.start({ DATABASE_URL: database.url, ...settings });
  // The service answers a moment before other commands can find it.
  await until('the running file', async () => findRunning(folder.dataDir));
  const { running, operatorApiKey } = requireEmbedded(folder.env);
  const secrets = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as {
    cardSecretKey: string;
  };
  const { rpcUrl, usdc, ledger } = running.chains['1002']!;
  const api = serviceClient(process.baseUrl, heldToDescription(process.baseUrl));
  let count = 0;

  const chain = {
    id: 1002,
    name: '1002',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  };
  const wallet = (account: PrivateKeyAccount) =>
    createWalletClient({ account, chain, transport: http(rpcUrl), pollingInterval: 30 }).extend(
      publicActions,
    );
  const mined = async (account: PrivateKeyAccount, hash: Hex): Promise<void> => {
    const { status } = await wallet(account).waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the transaction ${hash} reverted`);
  };

  const stage: WireStage = {
    baseUrl: process.baseUrl,
    api,
    db: database.db,
    operatorKey: operatorApiKey,
    databaseUrl: database.url,
    cardSecretKey: secrets.cardSecretKey,
    env: folder.env,
    usdc,
    rpcUrl,
    ledger,
    async owner(usd = '1000') {
      const account = privateKeyToAccount(generatePrivateKey());
      await fund(folder.env, account.address, usd);
      return account;
    },
    async proceedingOwner(usd) {
      const account = await stage.owner(usd);
      const choice = { wallet: account.address, onInconclusive: 'proceed' };
      expectStatus(await api.signedPost(account, '/settings', choice), 200, 'choosing to go on');
      return account;
    },
    async agent(payer, { mandate = TRADES, tier = 'AGENT', owner = payer.address, into } = {}) {
      const handle = `agent-${++count}`;
      const opened = expectStatus(
        await api.post('/agent/checkout', { owner, handle, mandate, tier }),
        201,
        'opening a checkout',
      );
      if (into !== undefined)
        await stage.db
          .updateTable('checkouts')
          .set({ owner: into.toLowerCase() })
          .where('id', '=', opened.checkoutId)
          .execute();
      const card = {
        number: '4242424242424242',
        exp_month: '12',
        exp_year: '2034',
        cvc: '123',
        name: 'Owner',
      };
      const paid = await fetch(opened.checkoutUrl, {
        method: 'POST',
        body: new URLSearchParams(card),
        redirect: 'manual',
      });
      if (paid.status >= 400) throw new Error(`the card processor answered ${paid.status}`);
      await until(`the mint of ${handle}`, async () => {
        const { body } = await api.get(`/agent/checkout/${opened.checkoutId}`);
        return body.status === 'minted' ? body : null;
      });
      const { account } = expectStatus(await api.get(`/agent/${handle}`), 200, 'reading the agent');
      return { handle, account };
    },
    mintTo: (owner) => mintAsset(folder.env, owner),
    async moveToken(owner, { contract, tokenId }, to) {
      const args = [owner.address, to, BigInt(tokenId)] as const;
      const call = { address: contract, abi: erc721Abi, functionName: 'transferFrom', args } as const;
      await mined(owner, await wallet(owner).writeContract(call));
    },
    async approve(owner, { contract, tokenId }, spender) {
      const { settlement } = findRunning(folder.dataDir)!.chains['1002']!;
      const args = [spender ?? (settlement as Address), BigInt(tokenId)] as const;
      const call = { address: contract, abi: erc721Abi, functionName: 'approve', args } as const;
      await mined(owner, await wallet(owner).writeContract(call));
    },
    async moveUsd(owner, to, usd) {
      const args = [to, BigInt(usd) * 1_000_000n] as const;
      const call = { address: usdc, abi: erc20Abi, functionName: 'transfer', args } as const;
      await mined(owner, await wallet(owner).writeContract(call));
    },
    async listed(owner, agent, terms = {}) {
      const asset = await stage.mintTo(owner.address);
      await stage.moveToken(owner, asset, agent.account);
      const body = {
        asset: { chainId: 1002, contract: asset.contract, tokenId: asset.tokenId },
        description: 'A licence key',
        askUsd: 100,
        negotiable: false,
        category: 'digital-products',
        gate: 'deposit',
        ...terms,
      };
      const answer = await api.signedPost(owner, `/agent/${agent.handle}/assets`, body);
      return { ...asset, listingRef: expectStatus(answer, 201, 'listing').listingRef };
    },
    async stop() {
      await folder.remove();
      await database.drop();
    },
  };
  return stage;
}
