import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concat, encodeErrorResult, type Hex, parseAbi, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Devnet, startDevnet } from '../devnet/devnet.ts';
import { rpc } from '../rpc/json-rpc.ts';
import { createSigner, type Signer } from './signer.ts';
import { simulate, transact } from './transact.ts';

const abi = parseAbi(['function refuse()', 'error NotToday(uint256 day)']);
/** Refuses every call with NotToday(5): its code copies what follows its 12 bytes, and reverts with that. */
const REFUSER = '0x00000000000000000000000000000000000000ec';
const REFUSAL = encodeErrorResult({ abi, errorName: 'NotToday', args: [5n] });
const REFUSER_CODE = concat(['0x6024600c60003960246000fd', REFUSAL]);
/** Refuses every call without revert data. */
const MUTE = '0x00000000000000000000000000000000000000ed';
const SINK = '0x00000000000000000000000000000000000000bb';
const dataDir = mkdtempSync(join(tmpdir(), 'signer-'));
const servers: Server[] = [];
let devnet: Devnet;
let privateKey: Hex;
let signer: Signer;

beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1002, dataDir });
  await rpc(devnet.rpcUrl, 'anvil_setCode', [REFUSER, REFUSER_CODE]);
  await rpc(devnet.rpcUrl, 'anvil_setCode', [MUTE, '0x60006000fd']);
});

beforeEach(async () => {
  privateKey = generatePrivateKey();
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [privateKeyToAddress(privateKey), toHex(10n ** 20n)]);
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [SINK, '0x0']);
  signer = createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey });
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

afterAll(async () => {
  await devnet.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const pay = (from: Signer, value = 1n) => from.send({ to: SINK, data: '0x', value, gas: 21_000n });
const received = async () => Number(await rpc<Hex>(devnet.rpcUrl, 'eth_getBalance', [SINK, 'latest']));
const sentBy = async (from: Signer) =>
  Number(await rpc<Hex>(devnet.rpcUrl, 'eth_getTransactionCount', [from.address, 'latest']));

/** A proxy in front of the node; `lose` says for each method whether the request or the answer gets lost. */
async function signerThrough(lose: (method: string) => 'request' | 'answer' | 'nothing'): Promise<Signer> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const fate = lose((JSON.parse(body) as { method: string }).method);
    if (fate === 'request') return request.socket.destroy();
    const answer = await fetch(devnet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    if (fate === 'answer') return request.socket.destroy();
    return response.setHeader('content-type', 'application/json').end(text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return createSigner({
    rpcUrl: `http://127.0.0.1:${port}`,
    chainId: 1002,
    privateKey,
    timeoutMs: 60_000,
    resendMs: 100,
  });
}

describe('a signer', () => {
  it('loses none of 20 transactions sent at once, one of which reverts', async () => {
    const refused = { to: REFUSER, data: '0xdeadbeef', gas: 60_000n } as const;
    const hashes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i === 7 ? signer.send(refused) : pay(signer))),
    );
    const receipts = await Promise.all(hashes.map((hash) => signer.receipt(hash)));
    expect(receipts.map((receipt) => receipt.status)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i === 7 ? 'reverted' : 'success')),
    );
    expect(new Set(hashes).size).toBe(20);
    expect(await received()).toBe(19);
  });

  it('loses none when another process uses the same key', async () => {
    const other = createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey });
    const hashes = [await pay(signer, 1n), await pay(other, 2n), await pay(other, 4n), await pay(signer, 8n)];
    await Promise.all(hashes.map((hash) => signer.receipt(hash)));
    expect(await received()).toBe(15);
  });

  it('loses none when many that know nothing of each other use it at once', async () => {
    const others = Array.from({ length: 8 }, () =>
      createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey }),
    );
    const hashes = await Promise.all(others.map((other, i) => pay(other, 2n ** BigInt(i))));
    await Promise.all(hashes.map((hash) => signer.receipt(hash)));
    expect(await received()).toBe(255);
  });

  it('goes on after a transaction that the node refused to take', async () => {
    const tooMuch = signer.send({ to: SINK, data: '0x', value: 10n ** 30n, gas: 21_000n });
    const fine = pay(signer);
    await expect(tooMuch).rejects.toMatchObject({ kind: 'down', message: expect.stringMatching(/funds/i) });
    await signer.receipt(await fine);
    expect(await received()).toBe(1);
  });

  it('finds a transaction whose answer was lost, and sends it no second time', async () => {
    const shaky = await signerThrough((method) =>
      method === 'eth_sendRawTransaction' ? 'answer' : 'nothing',
    );
    const hash = await pay(shaky);
    expect(await shaky.receipt(hash)).toMatchObject({ status: 'success' });
    expect(await sentBy(shaky)).toBe(1);
  });

  it('gives the nonce back of what its key did not sign, so that nothing of it is sent later', async () => {
    const account = privateKeyToAccount(privateKey);
    let away = true;
    const sometimes: typeof account = {
      ...account,
      signTransaction: async (...given) => {
        if (away) throw new Error('the key server is away');
        return await account.signTransaction(...given);
      },
    };
    const from = createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey: sometimes });
    await expect(pay(from)).rejects.toMatchObject({ kind: 'down', message: expect.stringContaining('away') });
    away = false;
    await from.rebroadcastPending();
    expect(await sentBy(from)).toBe(0);
    await from.receipt(await pay(from));
    expect([await sentBy(from), await received()]).toEqual([1, 1]);
  });

  it('calls a transaction unknown, with its hash, when nobody can say whether it arrived', async () => {
    let cut = true;
    const shaky = await signerThrough((method) =>
      cut && method === 'eth_sendRawTransaction' ? 'request' : 'nothing',
    );
    await expect(pay(shaky)).rejects.toMatchObject({
      kind: 'unknown',
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    cut = false;
    await shaky.receipt(await pay(shaky));
    // Its nonce was taken and later transactions must wait for it, so it was sent again, once.
    expect(await received()).toBe(2);
    expect(await sentBy(shaky)).toBe(2);
  });

  it('says down when the node is not there, and works again when it is', async () => {
    const dead = createSigner({ rpcUrl: 'http://127.0.0.1:1', chainId: 1002, privateKey });
    await expect(pay(dead)).rejects.toMatchObject({ kind: 'down' });
    expect(await sentBy(signer)).toBe(0);
  });

  it('says unknown when no receipt comes in time', async () => {
    const never = `0x${'00'.repeat(32)}` as const;
    await expect(signer.receipt(never, 50)).rejects.toMatchObject({ kind: 'unknown', hash: never });
  });
});

describe('a contract call', () => {
  const call = { to: REFUSER, abi, functionName: 'refuse', args: [], gas: 60_000n } as const;

  it('that is refused on chain names the custom error with its arguments', async () => {
    await expect(transact(signer, call)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'NotToday',
      args: [5n],
      message: 'NotToday(5)',
      hash: expect.stringMatching(/^0x/),
    });
    expect(await sentBy(signer)).toBe(1);
  });

  it('can be simulated first: the same name, nothing sent', async () => {
    await expect(simulate(signer, call)).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'NotToday',
      args: [5n],
    });
    expect(await sentBy(signer)).toBe(0);
  });

  it('that is refused without a known name is still reverted, never down', async () => {
    await expect(simulate(signer, { ...call, to: MUTE })).rejects.toMatchObject({
      kind: 'reverted',
      errorName: undefined,
    });
  });

  it('to a dead node is down', async () => {
    const dead = createSigner({ rpcUrl: 'http://127.0.0.1:1', chainId: 1002, privateKey });
    await expect(simulate(dead, call)).rejects.toMatchObject({ kind: 'down' });
  });
});
