import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { placeMetadata } from '../../chain/deploy/metadata-base.ts';
import { RpcSilence } from '../../chain/rpc/json-rpc.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';

let chain: TestChain;
let operator: Signer;
const signerOf = (rpcUrl: string, name: 'operator' | 'alice') =>
  createSigner({ rpcUrl, chainId: 1002, privateKey: chain.accounts[name].privateKey });
const client = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const base = () =>
  client().readContract({ address: chain.deployment.agentNft, abi: agentNftAbi, functionName: 'baseURI' });

beforeAll(async () => {
  chain = await testChain();
  operator = signerOf(chain.url, 'operator');
});
afterAll(() => chain.stop());

it('is told to a collection once, and again only when the place has moved', async () => {
  const { agentNft, certificates } = chain.deployment;
  const long = `https://${'a'.repeat(180)}.test/metadata/1002/`;
  for (const place of ['http://127.0.0.1:4021/metadata/1002/', long]) {
    expect(await placeMetadata(operator, agentNft, place)).toBe(true);
    expect(await base()).toBe(place);
    const block = await client().getBlockNumber();
    expect(await placeMetadata(operator, agentNft, place)).toBe(true);
    expect(await client().getBlockNumber()).toBe(block);
  }
  expect(await placeMetadata(operator, certificates, 'https://handshake.test/certificates/')).toBe(true);
});

it('finds no such place in a contract that has none, and sends nothing', async () => {
  const block = await client().getBlockNumber();
  expect(await placeMetadata(operator, chain.deployment.ledger, 'https://handshake.test/')).toBe(false);
  expect(await client().getBlockNumber()).toBe(block);
});

it('does not take a silent node for such a contract, nor a stranger’s refusal for success', async () => {
  const { agentNft } = chain.deployment;
  await expect(
    placeMetadata(signerOf('http://127.0.0.1:9', 'operator'), agentNft, 'https://handshake.test/'),
  ).rejects.toBeInstanceOf(RpcSilence);
  await expect(
    placeMetadata(signerOf(chain.url, 'alice'), agentNft, 'https://stranger.test/'),
  ).rejects.toMatchObject({ kind: 'reverted' });
  expect(await base()).not.toContain('stranger');
});
