import { TokenboundClient } from '@tokenbound/sdk';
import { createPublicClient, defineChain, type Hex, http, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MandateTerms } from '../../../agents/mandate/terms/terms.ts';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import { erc6551RegistryAbi } from '../../../chain/abi/erc6551-registry.ts';
import { type MintedAgent, mintAgent } from '../../../chain/clients/agents.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';

let chain: TestChain;
const minted: MintedAgent[] = [];

const terms = (expiry: number): MandateTerms => ({
  mandateHash: keccak256(toHex('mandate')),
  validAfter: 0,
  expiry,
  sides: 3,
  allowlistOnly: false,
  categories: 0n,
  caps: { perDeal: 1n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
  allow: [],
  deny: [],
  offChain: [],
});

beforeAll(async () => {
  chain = await testChain();
  const { operator, alice, bob } = chain.accounts;
  const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: operator.privateKey });
  const expiry = Number((await reader().getBlock()).timestamp) + 86_400;
  for (const [i, to] of [alice, bob, alice].entries()) {
    const order = { to: to.address, tier: 1, key: bob.address, keyValidUntil: expiry, uri: '' } as const;
    minted.push(
      await mintAgent(signer, chain.deployment, {
        ...order,
        paymentRef: keccak256(toHex(`payment ${i}`)),
        terms: terms(expiry),
      }),
    );
  }
});
afterAll(() => chain.stop());

const reader = () => createPublicClient({ transport: http(chain.url) });
const local = (id = 1002) =>
  defineChain({
    id,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.url] } },
  });
/** Told what is ours, and nothing else: which implementation, by whichever registry is its default. */
const sdk = (where: { chain: ReturnType<typeof local> } | { chainId: number }) =>
  new TokenboundClient({
    ...where,
    publicClientRPCUrl: chain.url,
    implementationAddress: chain.deployment.accountImplementation,
  });
const accountBy = (client: TokenboundClient, tokenId: bigint): Hex =>
  client.getAccount({ tokenContract: chain.deployment.agentNft, tokenId: tokenId.toString() });

describe('@tokenbound/sdk', () => {
  it('computes the account that the mint created, by its own default registry', async () => {
    const client = sdk({ chain: local() });
    expect(minted.map(({ tokenId }) => accountBy(client, tokenId))).toEqual(minted.map((m) => m.account));
    for (const { account, tokenId } of minted) {
      const held = { address: chain.deployment.agentNft, abi: agentNftAbi, args: [tokenId] } as const;
      expect(await reader().readContract({ ...held, functionName: 'accountOf' })).toBe(account);
      expect(await reader().readContract({ ...held, functionName: 'getAgentWallet' })).toBe(account);
      expect(await client.checkAccountDeployment({ accountAddress: account })).toBe(true);
      expect(await client.getNFT({ accountAddress: account })).toEqual({
        tokenContract: chain.deployment.agentNft,
        tokenId: tokenId.toString(),
        chainId: 1002,
      });
    }
  });

  it('computes accounts of tokens not minted yet as the registry does, far numbers too', async () => {
    const { agentNft, registry, accountImplementation } = chain.deployment;
    const client = sdk({ chain: local() });
    for (const tokenId of [4n, 1_000_000n, 2n ** 64n, 2n ** 256n - 1n]) {
      const expected = await reader().readContract({
        address: registry,
        abi: erc6551RegistryAbi,
        functionName: 'account',
        args: [accountImplementation, `0x${'00'.repeat(32)}`, 1002n, agentNft, tokenId],
      });
      expect(accountBy(client, tokenId)).toBe(expected);
    }
  });

  it('computes others for another implementation, salt or chain', () => {
    const client = sdk({ chain: local() });
    const { tokenId, account } = minted[0]!;
    const token = { tokenContract: chain.deployment.agentNft, tokenId: tokenId.toString() };
    const others = [
      client.getAccount({ ...token, salt: 1 }),
      accountBy(sdk({ chain: local(1) }), tokenId),
      new TokenboundClient({ chain: local(), publicClientRPCUrl: chain.url }).getAccount(token),
    ];
    expect(new Set([account, ...others]).size).toBe(4);
  });

  it('needs the whole chain for one that viem does not list, and the number alone for one that it does', async () => {
    expect(() => sdk({ chainId: 1002 })).toThrow('Chain with id 1002 not found');
    const { agentNft, registry, accountImplementation } = chain.deployment;
    const expected = await reader().readContract({
      address: registry,
      abi: erc6551RegistryAbi,
      functionName: 'account',
      args: [accountImplementation, `0x${'00'.repeat(32)}`, 84532n, agentNft, 1n],
    });
    expect(accountBy(sdk({ chainId: 84532 }), 1n)).toBe(expected);
  });
});
