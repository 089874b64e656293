import { encodeAbiParameters, type Hex, numberToHex, pad, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { resolveCode } from '../../../runtime/determinations/evidence/wallet/resolve-code.ts';
import { toldBy } from '../../../runtime/determinations/evidence/wallet/told-deciders.ts';
import { type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

const AT: Hex = `0x${'c0'.repeat(20)}`;
const abi = parseAbi([
  'function owners() view returns (address[])',
  'function owner() view returns (address)',
  'function key() view returns (bytes)',
  'function many() view returns (uint256[600])',
]);
const CREATE = { viem: viemReader, ethers: ethersReader } as const;
/** As many as fit into what is read of an answer. */
const CLAIMED = 16_000;

const word = (value: number | bigint) => numberToHex(value, { size: 32 }).slice(2);
const address = (i: number) => pad(numberToHex(i + 1), { size: 20 });
const list = (count: number): Hex =>
  encodeAbiParameters([{ type: 'address[]' }], [Array.from({ length: count }, (_, i) => address(i))]);

let node: WaywardRpc;
let calls = 0;

beforeAll(async () => {
  node = await waywardRpc();
});
afterAll(() => node?.stop());

/** Whatever a contract is asked, it answers this. */
function answers(result: Hex): void {
  calls = 0;
  node.behave((call) => {
    if (call.method === 'eth_chainId') return { result: '0x3ea' };
    if (call.method === 'eth_getStorageAt') return { result: `0x${word(0)}` };
    if (call.method === 'eth_getCode') return { result: '0x00' };
    calls += 1;
    return { result };
  });
}

describe.each(['viem', 'ethers'] as const)('the reader by %s', (client) => {
  const reader = () => CREATE[client]({ rpcUrl: node.url, chainId: 1002, retries: 0, timeoutMs: 20_000 });
  const read = (functionName: string, most?: number) =>
    reader().read({ address: AT, abi, functionName, block: 1n, ...(most === undefined ? {} : { most }) });

  it('decodes of a list no more than it is asked for, wherever it stands in the answer', async () => {
    const first = Array.from({ length: 61 }, (_, i) => address(i));
    const lower = (found: unknown) => (found as string[]).map((one) => one.toLowerCase());
    answers(list(CLAIMED));
    expect(lower(await read('owners', 61))).toEqual(first);
    answers(`0x${word(64)}${word(7)}${list(CLAIMED).slice(66)}`);
    expect(lower(await read('owners', 61))).toEqual(first);
    answers(`${list(3)}${'00'.repeat(50_000)}`);
    expect(lower(await read('owners', 61))).toEqual(first.slice(0, 3));
    answers(list(0));
    expect(await read('owners', 61)).toEqual([]);
    answers(list(100));
    expect(await read('owners')).toHaveLength(100);
  });

  it('takes for no list what is shorter than it claims to be', async () => {
    for (const bad of [
      '0x',
      `0x${word(32)}`,
      `0x${word(32)}${word(62)}${word(1).repeat(61)}`,
      `0x${word(2n ** 255n)}${word(1)}${word(1)}`,
      `0x${word(32)}${word(2n ** 256n - 1n)}${word(1).repeat(70)}`,
    ] as const) {
      answers(bad);
      await expect(read('owners', 61)).rejects.toMatchObject({ kind: 'reverted' });
    }
  });

  it('reads no answer that is far longer than what it is asked for', async () => {
    answers(list(CLAIMED));
    for (const name of ['owner', 'key'] as const)
      await expect(read(name, name === 'key' ? 64 : undefined)).rejects.toMatchObject({ kind: 'reverted' });
    answers(`0x${word(5).repeat(600)}`);
    expect(await read('many')).toHaveLength(600);
    answers(`0x${word(5).repeat(40)}`);
    expect(await read('owner')).toMatch(/5$/);
  });

  it("takes a gateway's own page for no answer of the contract, however long it is", async () => {
    const page = { body: `<p>${'busy '.repeat(20_000)}</p>` };
    for (const status of [503, 403, 429]) {
      node.behave(({ method }) => (method === 'eth_chainId' ? { result: '0x3ea' } : { status, ...page }));
      const down = { kind: 'down', message: expect.stringContaining(`HTTP ${status}`) };
      await expect(read('owner')).rejects.toMatchObject(down);
      await expect(Promise.all([read('owner'), read('key', 64)])).rejects.toMatchObject(down);
    }
  });

  it('asks a contract that claims thousands of owners little more than any other', async () => {
    answers(list(CLAIMED));
    const { deciders, unknown } = await toldBy(reader(), AT, 1n);
    expect(deciders).toHaveLength(60);
    expect(deciders[0]?.role).toBe('an owner (1 of more than 60 sign)');
    expect(unknown).toEqual(['owners of a Safe beyond the first 60 were not looked up']);
    expect(calls).toBeLessThan(20);
  });

  it('says that not all code is known of what claims thousands of parts, whatever the first are', async () => {
    // DELEGATECALL, so that it is asked what it runs.
    const code = '0x60006000600060006000355af4';
    answers(`0x${word(32)}${word(100)}${pad(AT).slice(2).repeat(100)}`);
    expect(await resolveCode(reader(), AT, 1n, code)).toMatchObject({ unresolved: true });
  });
});
