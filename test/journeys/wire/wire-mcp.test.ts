import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { x402Client } from '@x402/core/client';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../api/mcp/tools.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { challengeOf } from '../../fixtures/wallets/payers.ts';
import { type WireStage, wireStage } from './wire-stage.ts';

/** The stock client of the protocol, over HTTP and over standard input and output. */

const WALLET = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const HANDSHAKE = new URL('../../../runtime/bin.mjs', import.meta.url).pathname;
const CONFORMANCE = new URL(
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
  import.meta.url,
).pathname;

let stage: WireStage;
let mcp: Client;

beforeAll(async () => {
  stage = await wireStage();
  mcp = new Client({ name: 'stock', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${stage.baseUrl}/mcp`)) as never);
});
afterAll(async () => {
  await mcp.close();
  await stage.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a stranger reads JSON as it comes
type Told = any;

async function call(name: string, given: object, meta?: object, over = mcp) {
  const result = (await over.callTool({
    name,
    arguments: { ...given },
    ...(meta ? { _meta: { ...meta } } : {}),
  })) as CallToolResult;
  return { ...result, told: result.structuredContent as Told };
}

/** As the documentation of x402 shows it: the terms in, a signed payment out. */
async function payment(account: LocalAccount, terms: PaymentRequired) {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account));
  return { 'x402/payment': await client.createPaymentPayload(terms) };
}

describe('a paid tool', () => {
  it('tells the terms of the wire, takes the payment, and gives what the wire gives', async () => {
    const payer = await stage.owner();
    const asked = { address: WALLET, chainId: 1002 };
    const unpaid = await call('check', asked);
    const { body: wire } = await stage.api.get(`/determination?address=${WALLET}&chainId=1002`);
    expect(unpaid.isError).toBe(true);
    expect(unpaid.told).toMatchObject({ x402Version: 2, accepts: wire.accepts });
    expect(unpaid.told.error).toContain('send it in _meta["x402/payment"]');
    expect(JSON.parse((unpaid.content as { text: string }[])[0]!.text)).toEqual({
      'x402/error': { code: 402, message: expect.any(String), data: unpaid.told },
    });

    const paid = await payment(payer, unpaid.told);
    const answer = await call('check', { chainId: 1002, address: WALLET }, paid);
    expect(answer.told).toMatchObject({
      address: WALLET,
      recorded: { filed: true },
    });
    expect(answer._meta?.['x402/payment-response']).toMatchObject({ success: true, network: 'eip155:84532' });

    const again = await call('check', asked, paid);
    expect(again.told).toEqual(answer.told);
    const other = await call('check', { ...asked, address: payer.address }, paid);
    expect(other).toMatchObject({ isError: true, told: { accepts: expect.any(Array) } });
    expect(other.told).toMatchObject({ error: expect.stringMatching(/^The payment /) });
    expect(other.told.verdict).toBeUndefined();

    const { recordId } = answer.told.recorded;
    const record = await call('record', { recordId });
    expect(record.told).toEqual((await stage.api.get(`/records/${recordId}`)).body);
    const proof = await call('proof', { recordId });
    expect(proof.told).toMatchObject({ recordId, hash: record.told.hash, signature: record.told.signature });
    expect(proof.told.evidence).toBeUndefined();
  });

  it('says what is wrong with the arguments before it asks for money', async () => {
    const bad = await call('check', { address: '0x12' });
    expect(bad).toMatchObject({ isError: true, told: { code: 'address-malformed', status: 400 } });
    const none = await call('evaluate', { tier: 'tier2', category: 'digital-products' });
    expect(none.told).toMatchObject({ code: 'no-facts' });
    const strange = await call('evaluate', { tier: 'tier4', category: 'digital-products', priceUsd: 5 });
    expect(strange.told).toMatchObject({ code: 'bad-request' });
  });

  it('evaluates a deal, once for one payment', async () => {
    const payer = await stage.owner();
    const asked = { tier: 'tier2', category: 'digital-products', priceUsd: 5 };
    const { told } = await call('evaluate', asked);
    const paid = await payment(payer, told);
    const both = await Promise.all([call('evaluate', asked, paid), call('evaluate', asked, paid)]);
    expect(both[0]!.told).toMatchObject({ tier: 'tier2', determinationsRun: ['price-intelligence'] });
    expect(both[1]!.told).toEqual(both[0]!.told);
  });

  it('refuses a payment that is none, with the terms', async () => {
    const bad = await call(
      'check',
      { address: WALLET, chainId: 1002 },
      { 'x402/payment': { x402Version: 2 } },
    );
    expect(bad).toMatchObject({ isError: true, told: { x402Version: 2, accepts: expect.any(Array) } });
  });
});

describe("an act of one's own agent", () => {
  it('answers what its owner must sign, and is done with the signature', async () => {
    const owner = await stage.proceedingOwner();
    const { handle } = await stage.agent(owner);
    const asked = { handle, action: 'pause' };
    const unsigned = await call('set_session', asked);
    expect(unsigned).toMatchObject({
      isError: true,
      told: { status: 401, sign: { wallet: owner.address.toLowerCase() } },
    });
    const { message, nonce } = unsigned.told.sign;
    const stranger = privateKeyToAccount(generatePrivateKey());
    const forged = { nonce, signature: await stranger.signMessage({ message }) };
    expect((await call('set_session', { ...asked, ownerSignature: forged })).told.code).toBe(
      'signature-invalid',
    );
    const ownerSignature = { nonce, signature: await owner.signMessage({ message }) };
    const done = await call('set_session', { ownerSignature, action: 'pause', handle });
    expect(done.isError).toBeFalsy();
    expect((await call('set_session', { ...asked, ownerSignature })).told.code).toBe('signature-used');
    const injected = { nonce: `${nonce}", signature="0x00`, signature: ownerSignature.signature };
    expect((await call('set_session', { ...asked, ownerSignature: injected })).told.code).toBe('bad-request');
  });
});

describe('what the service says of itself', () => {
  it('is the same in the interface, the manifest, the challenges, the tools and llms.txt', async () => {
    const text = async (path: string) => await (await fetch(`${stage.baseUrl}${path}`)).text();
    const { paths } = JSON.parse(await text('/openapi.json')) as Told;
    const manifest = JSON.parse(await text('/.well-known/x402')) as Told;
    const page = await text('/llms.txt');
    const { tools } = await mcp.listTools();

    const routes: string[] = Object.entries<Told>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const onPage = [...page.matchAll(/^- [`[](?<route>[A-Z]+ \/[^`\]]*)[`\]]/gm)].map((m) => m.groups!.route);
    expect(onPage.sort()).toEqual(routes.sort());

    const paid = Object.values<Told>(paths).flatMap((methods) =>
      Object.values<Told>(methods).filter((o) => o.security?.some((s: object) => 'x402' in s)),
    );
    expect(manifest.resources.map((r: Told) => r.operationId).sort()).toEqual(
      paid.map((o) => o.operationId).sort(),
    );
    for (const { method, path, operationId, priceUsd, accepts, extensions } of manifest.resources) {
      const operation = paths[path][method.toLowerCase()];
      expect(operation.operationId).toBe(operationId);
      expect(page).toContain(`(${operationId}, from ${priceUsd} USD)`);
      const answer = await fetch(`${stage.baseUrl}${path}${method === 'GET' ? `?address=${WALLET}` : ''}`, {
        method,
      });
      const challenge = (await answer.json()) as Told;
      expect(challenge.accepts, path).toEqual(accepts);
      expect(challengeOf(answer).accepts, path).toEqual(accepts);
      expect(challenge.extensions.bazaar, path).toEqual(extensions.bazaar);
      const { properties } = extensions.bazaar.schema.properties.input;
      const asked = method === 'GET' ? properties.queryParams : properties.body;
      expect(Object.keys(asked.properties).sort(), path).toEqual(argumentsOf(operation).sort());
    }

    const own = ['ownerSignature', 'idempotencyKey', 'tier', 'category'];
    for (const { name, inputSchema } of tools) {
      const { operation } = TOOLS.find((t) => t.name === name)!;
      const described = Object.values<Told>(paths)
        .flatMap((methods) => Object.values<Told>(methods))
        .find((o) => o.operationId === operation);
      const all = new Set([
        ...argumentsOf(described),
        ...Object.keys(inputSchema.properties!).filter((n) => own.includes(n)),
      ]);
      expect(new Set(Object.keys(inputSchema.properties!)), name).toEqual(all);
      expect(page).toContain(`- \`${name}\` (`);
    }
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  });
});

/** The names of what an operation takes, in its path, its query and its body. */
function argumentsOf({ parameters = [], requestBody }: Told): string[] {
  const inAddress = parameters
    .filter((p: Told) => p.in === 'query' || p.in === 'path')
    .map((p: Told) => p.name);
  return [...inAddress, ...Object.keys(requestBody?.content['application/json'].schema.properties ?? {})];
}

describe('over standard input and output', () => {
  const open: Client[] = [];
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  async function started(args: string[]): Promise<{ client: Client; errors: () => string }> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [HANDSHAKE, 'mcp', ...args],
      env: { ...(process.env as Record<string, string>), BASE_URL: '', ...stage.env },
      stderr: 'pipe',
    });
    let errors = '';
    transport.stderr?.on('data', (chunk) => (errors += String(chunk)));
    const client = new Client({ name: 'stock', version: '1' });
    await client.connect(transport as never);
    open.push(client);
    return { client, errors: () => errors };
  }

  it('offers the same tools, and without a key signs and pays nothing', async () => {
    const { client } = await started(['--url', stage.baseUrl]);
    expect(await client.listTools()).toEqual(await mcp.listTools());
    const asked = await call('check', { address: WALLET, chainId: 1002 }, undefined, client);
    expect(asked).toMatchObject({ isError: true, told: { x402Version: 2 } });
    await client.close();
  });

  it('signs with the key of a file what its wallet is asked, and pays within its budget alone', async () => {
    const key = generatePrivateKey();
    const owner = privateKeyToAccount(key);
    await fund(stage.env, owner.address, '50');
    const { handle } = await stage.agent(owner);
    const file = join(stage.env.DATA_DIR!, 'owner.key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    const { client, errors } = await started(['--key-file', file, '--pay-up-to', '0.01']);
    const own = await call('own_orders', { handle }, undefined, client);
    expect(own.told).toMatchObject({ items: [] });
    const paid = await call('check', { address: WALLET, chainId: 1002 }, undefined, client);
    expect(paid.told).toMatchObject({ address: WALLET });
    expect(paid._meta?.['x402/payment-response']).toMatchObject({ success: true });
    const over = await call('check', { address: owner.address, chainId: 1002 }, undefined, client);
    expect(over).toMatchObject({ isError: true, told: { x402Version: 2 } });
    await client.close();
    expect(errors()).not.toContain(key.slice(2));
  });
});

describe('the conformance scenarios of the protocol', () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'pass: %s',
    async (scenario) => {
      const run = promisify(execFile)(
        process.execPath,
        [CONFORMANCE, 'server', '--url', `${stage.baseUrl}/mcp`, '--scenario', scenario],
        { cwd: stage.env.DATA_DIR },
      );
      const { stdout } = await run;
      expect(stdout).toMatch(/0 failed/);
    },
  );
});
