import { type Address, createPublicClient, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

let stage: WireStage;
let owner: PrivateKeyAccount;
let agent: WireAgent;
let nft: Address;
let tokenId: string;
let tokenUri: string;

beforeAll(async () => {
  stage = await wireStage();
  owner = await stage.owner();
  const mandate = `Buy digital products, max 50 USDC per deal, max 400 USDC in total, until ${inDays(30)}.`;
  agent = await stage.agent(owner, { mandate });
  const { body } = await stage.api.get(`/agent/${agent.handle}`);
  nft = body.contract;
  tokenId = body.tokenId;
  const chain = createPublicClient({ transport: http(stage.rpcUrl) });
  const call = { address: nft, abi: agentNftAbi, args: [BigInt(tokenId)] } as const;
  tokenUri = await chain.readContract({ ...call, functionName: 'tokenURI' });
});
afterAll(() => stage.stop());

describe('the URI of an agent’s token', () => {
  it('is known at the mint and leads to its registration file', async () => {
    expect(tokenUri).toBe(`${stage.baseUrl}/metadata/1002/${tokenId}`);
    const answer = await fetch(tokenUri);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const file = (await answer.json()) as Record<string, unknown>;
    expect(file).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: agent.handle,
      image: `${tokenUri}/portrait.svg`,
      active: true,
      registrations: [{ agentId: Number(tokenId), agentRegistry: `eip155:1002:${nft}` }],
    });
    const { body } = await stage.api.get(`/agent/${agent.handle}`);
    expect(file.attributes).toEqual(
      expect.arrayContaining([
        { trait_type: 'mandate hash', value: body.mandate.hash },
        { trait_type: 'cap per deal (USD)', display_type: 'number', value: 50 },
        { trait_type: 'cap in all (USD)', display_type: 'number', value: 400 },
      ]),
    );
  });

  it('names endpoints that answer', async () => {
    const { body } = await stage.api.get(`/metadata/1002/${tokenId}`);
    const pages = (body.services as { name: string; endpoint: string }[]).filter(
      ({ name }) => name !== 'agentWallet',
    );
    for (const { endpoint } of [...pages, { endpoint: body.external_url as string }]) {
      expect((await fetch(endpoint)).status, endpoint).toBe(200);
    }
    expect(body.services.at(-1).endpoint.toLowerCase()).toBe(`eip155:1002:${agent.account.toLowerCase()}`);
  });

  it('has a picture that any page may show and that cannot run anything', async () => {
    const answer = await fetch(`${tokenUri}/portrait.svg`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'; sandbox$/,
    );
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await answer.text();
    expect(text).toMatch(/^<svg .*<title id="name">/s);
    expect(text).toContain(`>${agent.handle}</text>`);
    expect(text).toContain('>active</text>');
  });

  it('keeps what an owner wrote as text', async () => {
    const name = '"><script>alert(1)</script>';
    await stage.db
      .updateTable('agents')
      .set({ display_name: name })
      .where('handle', '=', agent.handle)
      .execute();
    expect((await stage.api.get(`/metadata/1002/${tokenId}`)).body.name).toBe(`${name} (${agent.handle})`);
    expect(await (await fetch(`${tokenUri}/portrait.svg`)).text()).not.toContain('script');
  });

  it('follows the mandate on chain, and does not vouch for one that is unknown here', async () => {
    await stage.db
      .updateTable('mandates')
      .set({ hash: `0x${'00'.repeat(32)}` })
      .where('handle', '=', agent.handle)
      .execute();
    const { body } = await stage.api.get(`/metadata/1002/${tokenId}`);
    expect(body.attributes).toContainEqual({ trait_type: 'mandate', value: 'unknown' });
    expect(JSON.stringify(body.attributes)).not.toContain('cap per deal');
  });

  it('does not exist for a token or chain without an agent', async () => {
    for (const path of [
      '/metadata/1002/999',
      `/metadata/1002/${Number.MAX_SAFE_INTEGER}`,
      `/metadata/84532/${tokenId}`,
      '/metadata/1002/999/portrait.svg',
    ])
      expectProblem(await stage.api.get(path), 404, 'not-found');
    for (const path of ['/metadata/1002/one', '/metadata/1002/-1', `/metadata/1002/${'9'.repeat(40)}`])
      expectProblem(await stage.api.get(path), 400, 'bad-request');
  });
});

it('the service names the agents whose endpoints it serves', async () => {
  const { body } = await stage.api.get('/.well-known/agent-registration.json');
  expect(body).toEqual({
    registrations: [{ agentId: Number(tokenId), agentRegistry: `eip155:1002:${nft}` }],
  });
});

it('the interface describes the file and the picture', async () => {
  const { body } = await stage.api.get('/openapi.json');
  const answers = (path: string) => body.paths[path]?.get?.responses['200']?.content;
  expect(Object.keys(answers('/metadata/{chainId}/{tokenId}/portrait.svg'))).toEqual(['image/svg+xml']);
  const { schema } = answers('/metadata/{chainId}/{tokenId}')['application/json'];
  expect(schema.required).toEqual(
    expect.arrayContaining(['type', 'name', 'description', 'image', 'registrations']),
  );
  expect(body.paths['/.well-known/agent-registration.json'].get.operationId).toBe('agent-registrations');
});
