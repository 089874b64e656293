import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, type TransactionSerializableEIP1559 } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, sign } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteSigner } from './remote-signer.ts';

/** A server that speaks what Web3Signer does: which keys there are, and signatures over hashes of what is sent. */
interface SignerServer {
  url: string;
  keys: Hex[];
  /** How often it was asked to sign. */
  asked: number;
  /** Changes what it answers. */
  spoil: ((signature: Hex, data: Hex) => Promise<string> | string) | null;
  /** The status with which it refuses to sign. */
  refuse: number | null;
}

let server: Server;
let signer: SignerServer;
let local: PrivateKeyAccount;

beforeEach(async () => {
  const key = generatePrivateKey();
  local = privateKeyToAccount(key);
  signer = { url: '', keys: [generatePrivateKey(), key], asked: 0, spoil: null, refuse: null };
  const identifierOf = (k: Hex): string => `0x${privateKeyToAccount(k).publicKey.slice(4)}`;
  server = createServer(async (request, response) => {
    if (request.method === 'GET' && request.url === '/api/v1/eth1/publicKeys')
      return response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(signer.keys.map(identifierOf)));
    const of = /^\/api\/v1\/eth1\/sign\/(0x[0-9a-f]{128})$/.exec(request.url ?? '')?.[1];
    const held = signer.keys.find((k) => identifierOf(k) === of);
    if (request.method !== 'POST' || held === undefined) return response.writeHead(404).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { data } = JSON.parse(body) as { data: Hex };
    signer.asked += 1;
    if (signer.refuse !== null) return response.writeHead(signer.refuse).end();
    const made = await sign({ hash: keccak256(data), privateKey: held, to: 'hex' });
    response
      .setHeader('content-type', 'text/plain')
      .end(signer.spoil ? await signer.spoil(made, data) : made);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  signer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const open = (timeoutMs = 30_000) => remoteSigner({ url: signer.url, address: local.address, timeoutMs });

const TRANSACTION: TransactionSerializableEIP1559 = {
  ...{ type: 'eip1559', chainId: 1002, nonce: 7, to: `0x${'ab'.repeat(20)}`, data: '0x1234', value: 5n },
  ...{ gas: 21_000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n },
};
const TYPED = {
  domain: { name: 'Records', version: '1', chainId: 1002n },
  types: {
    Part: [{ name: 'of', type: 'address' }],
    Record: [
      { name: 'id', type: 'string' },
      { name: 'parts', type: 'Part[]' },
    ],
  },
  primaryType: 'Record',
  message: { id: 'rec_1', parts: [{ of: `0x${'cd'.repeat(20)}` }] },
} as const;

describe('a key that another server holds', () => {
  it('signs transactions and typed data to the byte as the key itself would', async () => {
    const remote = await open();
    expect(await remote.signTransaction(TRANSACTION)).toBe(await local.signTransaction(TRANSACTION));
    expect(await remote.signTypedData(TYPED)).toBe(await local.signTypedData(TYPED));
  });

  it('is refused where the server does not hold it, or is not there', async () => {
    signer.keys.pop();
    await expect(open()).rejects.toThrow(`does not hold the key of ${local.address}`);
    await expect(remoteSigner({ url: 'http://127.0.0.1:1', address: local.address })).rejects.toThrow(
      'the signer at 127.0.0.1:1 does not answer',
    );
  });

  it('is refused where signatures of the same bytes differ, because a transaction is found again by its hash', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    // The other signature that is valid over the same hash.
    signer.spoil = (signature) => {
      if (signer.asked % 2 === 0) return signature;
      const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
      return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
    };
    await expect(open()).rejects.toThrow('deterministic');
  });

  it('gives no signature that another key made, and none that came too late', async () => {
    const [remote, impatient] = [await open(), await open(3_000)];
    signer.spoil = (_, data) => sign({ hash: keccak256(data), privateKey: signer.keys[0]!, to: 'hex' });
    await expect(remote.signTransaction(TRANSACTION)).rejects.toThrow(`instead of ${local.address}`);
    signer.spoil = () => 'yes';
    await expect(remote.signTypedData(TYPED)).rejects.toThrow('something else than a signature');
    signer.spoil = () => new Promise(() => {});
    await expect(impatient.signTypedData(TYPED)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('does not answer') },
    });
    server.closeAllConnections();
  });

  it('is only away while its server is busy or broken, and does not say where that is', async () => {
    const remote = await open();
    for (const status of [429, 500, 503]) {
      signer.refuse = status;
      const refusal = await remote.signTransaction(TRANSACTION).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'unavailable' });
      expect((refusal as Error).message).not.toContain('127.0.0.1');
    }
    signer.refuse = 403;
    await expect(remote.signTransaction(TRANSACTION)).rejects.toThrow('answered 403');
    signer.refuse = null;
    expect(await remote.signTransaction(TRANSACTION)).toBe(await local.signTransaction(TRANSACTION));
  });
});
