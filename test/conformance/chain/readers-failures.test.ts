import { type Hex, pad, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { type ChainReader, ReaderError, type ReaderOptions } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { type Conduct, type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

const CREATE = { viem: viemReader, ethers: ethersReader } as const;
const CLIENTS = ['viem', 'ethers'] as const;
const abi = parseAbi(['function totalSupply() view returns (uint256)']);

let chain: TestChain;
let node: WaywardRpc;
let block: bigint;

beforeAll(async () => {
  chain = await testChain(1002);
  node = await waywardRpc(chain.url);
  block = (await viemReader({ rpcUrl: chain.url, chainId: 1002 }).head()).number;
});

afterAll(async () => {
  await node?.stop();
  await chain?.stop();
});

const who = () => chain.accounts.alice.address;
/** Everything a reader can be asked. */
const READINGS: Readonly<Record<string, (r: ChainReader) => Promise<unknown>>> = {
  head: (r) => r.head(),
  blockHash: (r) => r.blockHash(block),
  timestamp: (r) => r.timestamp(block),
  code: (r) => r.code(who(), block),
  nonce: (r) => r.nonce(who(), block),
  balance: (r) => r.balance(who(), block),
  storage: (r) => r.storage(chain.deployment.usdc, pad('0x'), block),
  read: (r) => r.read({ address: chain.deployment.usdc, abi, functionName: 'totalSupply', block }),
  logs: (r) => r.logs({ topics: [], fromBlock: block, toBlock: block }),
};
const BLOCKS = ['head', 'blockHash', 'timestamp'];
const STATE = ['code', 'nonce', 'balance', 'storage', 'read'];
const ALL = Object.keys(READINGS);
const SOME = ['blockHash', 'read', 'logs'];

interface Failure {
  readonly conduct: Conduct;
  readonly kind: ReaderError['kind'];
  /** Attempts made of three allowed. */
  readonly attempts: number;
  readonly readings?: readonly string[];
}

const html = (status: number) => ({ status, body: '<html><body>Sorry</body></html>' });
const refuses = (code: number, message: string) => ({ error: { code, message } });
/** Leaves the question for the chain's number alone: what fails is the reading. */
const reading =
  (answer: Conduct): Conduct =>
  (call, honest) =>
    call.method === 'eth_chainId' ? honest() : answer(call, honest);
const unsealed = reading(async (call, honest) => {
  const answer = await honest();
  return call.method === 'eth_getBlockByNumber'
    ? { result: { ...(answer.result as object), hash: null } }
    : answer;
});

const FAILURES: Readonly<Record<string, Failure>> = {
  'cuts the connection': { conduct: reading(() => 'cut'), kind: 'down', attempts: 3 },
  'never answers': { conduct: reading(() => 'hang'), kind: 'slow', attempts: 3, readings: SOME },
  'never ends its answer': { conduct: reading(() => 'endless'), kind: 'slow', attempts: 3, readings: SOME },
  'is overrun (HTTP 429)': { conduct: reading(() => html(429)), kind: 'down', attempts: 3 },
  'breaks (HTTP 500)': { conduct: reading(() => html(500)), kind: 'down', attempts: 3 },
  'stands behind a dead gateway (HTTP 503)': {
    conduct: reading(() => html(503)),
    kind: 'down',
    attempts: 3,
  },
  'does not know the key (HTTP 401)': { conduct: reading(() => html(401)), kind: 'down', attempts: 1 },
  'is not there (HTTP 404)': { conduct: reading(() => html(404)), kind: 'down', attempts: 1 },
  'answers a page': { conduct: reading(() => html(200)), kind: 'down', attempts: 3 },
  'answers nothing': { conduct: reading(() => ({ status: 200, body: '' })), kind: 'down', attempts: 3 },
  'cuts its JSON short': {
    conduct: reading(async (call, honest) => {
      const whole = JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(await honest()) });
      return { status: 200, type: 'application/json', body: whole.slice(0, -3) };
    }),
    kind: 'down',
    attempts: 3,
  },
  'answers another question': {
    conduct: reading(async (call, honest) => ({ ...(await honest()), id: Number(call.id) + 1_000 })),
    kind: 'down',
    attempts: 3,
  },
  'answers without a result': { conduct: reading(() => ({})), kind: 'down', attempts: 3 },
  'answers with an error that is none': {
    conduct: reading(() => ({ error: null as never })),
    kind: 'down',
    attempts: 3,
  },
  'has a limit on requests': {
    conduct: reading(() => refuses(-32005, 'daily request count exceeded, request rate limited')),
    kind: 'down',
    attempts: 3,
  },
  'has an error of its own': {
    conduct: reading(() => refuses(-32603, 'Internal error')),
    kind: 'down',
    attempts: 3,
  },
  'has a block without a hash': { conduct: unsealed, kind: 'reorganised', attempts: 1, readings: BLOCKS },
  'does not have the block': {
    conduct: reading(() => ({ result: null })),
    kind: 'reorganised',
    attempts: 1,
    readings: BLOCKS,
  },
  'has pruned the state': {
    conduct: reading(() =>
      refuses(-32000, `missing trie node ${'ab'.repeat(32)} (path ) state is not available`),
    ),
    kind: 'reorganised',
    attempts: 1,
    readings: STATE,
  },
  'says that the header is not found': {
    conduct: reading(() => refuses(-32000, 'header not found')),
    kind: 'reorganised',
    attempts: 1,
    readings: STATE,
  },
  'stands for another chain': {
    conduct: (call, honest) => (call.method === 'eth_chainId' ? { result: '0x1' } : honest()),
    kind: 'disagreeing',
    attempts: 1,
  },
};

/** More than is read of one answer, also of one that comes together with others. */
const LONG = '0'.repeat(9_000_000);

/** For a node that never answers: what one attempt is given. */
const SHORT_MS = 150;

const options = (over: Partial<ReaderOptions> = {}): ReaderOptions => ({
  rpcUrl: node.url,
  chainId: 1002,
  // Time decides only where it is what is tested.
  timeoutMs: 60_000,
  retries: 2,
  backoffMs: 1,
  ...over,
});

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    return error instanceof ReaderError ? error.kind : `not a ReaderError: ${String(error)}`;
  }
}

describe.each(Object.entries(FAILURES))('a node that %s', (_, failure) => {
  const { conduct, kind, attempts, readings = ALL } = failure;

  it.each(readings)(`is called ${kind} by both clients alike when asked for %s`, async (what) => {
    for (const client of CLIENTS) {
      const r = CREATE[client](options(kind === 'slow' ? { timeoutMs: SHORT_MS } : {}));
      // It knows its chain already: what is counted is the reading.
      node.behave((_, honest) => honest());
      while (kind === 'slow' && (await kindOf(r.nonce(who(), block))) !== 'answered');
      node.behave(conduct);
      const began = performance.now();
      expect([client, await kindOf(READINGS[what]!(r))]).toEqual([client, kind]);
      const took = performance.now() - began;
      const asked = node.asked().filter((m) => (kind === 'disagreeing') === (m === 'eth_chainId'));
      if (kind !== 'slow') expect([client, asked.length]).toEqual([client, attempts]);
      else {
        // On a busy machine an attempt may be over before it has arrived: it took its time all the same.
        expect(asked.length).toBeLessThanOrEqual(attempts);
        expect(took).toBeGreaterThan((attempts - 0.5) * SHORT_MS);
      }
    }
  });
});

describe.each(CLIENTS)('the %s reader', (client) => {
  const reader = (over: Partial<ReaderOptions> = {}) => CREATE[client](options(over));

  it('says down of a closed port', async () => {
    const closed = await waywardRpc();
    await closed.stop();
    expect(await kindOf(reader({ rpcUrl: closed.url }).head())).toBe('down');
  });

  it('answers when the second attempt is answered, whatever ailed the first', async () => {
    for (const first of ['cut', 'hang', html(429), html(200), { id: 'x', result: '0x1' }] as const) {
      let ill = true;
      node.behave(
        reading((_, honest) => {
          if (!ill) return honest();
          ill = false;
          return first;
        }),
      );
      const patience = first === 'hang' ? { timeoutMs: 1_000 } : {};
      expect(await reader(patience).balance(who(), block)).toBeGreaterThan(0n);
    }
  });

  it('starts no attempt after its deadline, however many are left', async () => {
    node.behave(reading(() => html(503)));
    const hopeful = reader({ retries: 1_000_000, backoffMs: 4, deadlineMs: 200 });
    // The last attempt has what is left of the time, which may be too little for any answer.
    expect(['down', 'slow']).toContain(await kindOf(hopeful.balance(who(), block)));
    // 4 + 8 + 16 + 32 + 64 ms of waiting fit into 200 ms; 128 more do not.
    expect(node.asked().length).toBeLessThanOrEqual(8);
  });

  it('reads a block alone however long it is, and receipts however much was logged', async () => {
    const from = who();
    await rpc(chain.url, 'anvil_impersonateAccount', [from]);
    await rpc(chain.url, 'evm_setAutomine', [false]);
    const sent = { from, value: '0x5', gas: toHex(200_000) };
    for (const way of [{ to: chain.accounts.bob.address }, { data: '0x' }])
      await rpc(chain.url, 'eth_sendTransaction', [{ ...sent, ...way }]);
    await rpc(chain.url, 'evm_mine');
    await rpc(chain.url, 'evm_setAutomine', [true]);
    node.behave((_, honest) => honest());
    const { number } = await reader().head();
    const honest = await reader().valueTransfers(number);
    const receipts = await Promise.all(honest.transfers.map(({ tx }) => reader().receipt(tx as Hex)));
    expect([honest.transfers.length, honest.created.length]).toEqual([2, 1]);
    node.behave(
      reading(async (call, ask) => {
        const isLong = call.method === 'eth_getTransactionReceipt' || call.params?.[1] === true;
        return isLong ? { result: { ...((await ask()).result as object), more: LONG } } : ask();
      }),
    );
    const quick = reader({ retries: 0 });
    expect(await quick.valueTransfers(number, { alone: true })).toEqual(honest);
    expect(await Promise.all(honest.transfers.map(({ tx }) => quick.receipt(tx as Hex)))).toEqual(receipts);
    expect(await kindOf(quick.valueTransfers(number))).toBe('down');
  });

  it('says disagreeing when the node comes to stand for another chain, and answers when it is itself again', async () => {
    node.behave((_, honest) => honest());
    const r = reader();
    const pinned = await r.head();
    node.behave((call, honest) => (call.method === 'eth_chainId' ? { result: '0x14a34' } : honest()));
    expect(await kindOf(r.head())).toBe('disagreeing');
    expect(await kindOf(r.confirm(pinned))).toBe('disagreeing');
    node.behave((_, honest) => honest());
    await r.confirm(pinned);
  });

  it('says reorganised when the pinned number has another hash, and confirms it in any case of its letters', async () => {
    node.behave((_, honest) => honest());
    const r = reader();
    const pinned = await r.head();
    await r.confirm({ ...pinned, hash: `0x${pinned.hash.slice(2).toUpperCase()}` });
    node.behave(
      reading(async (_, honest) => ({
        result: { ...((await honest()).result as object), hash: toHex(7, { size: 32 }) },
      })),
    );
    expect(await kindOf(r.confirm(pinned))).toBe('reorganised');
  });

  it('calls a value of another form down, never a number', async () => {
    for (const result of ['0xzz', {}, [], true, 'nine', '', null]) {
      node.behave(reading(() => ({ result })));
      for (const what of [...STATE, 'logs']) {
        const kind = await kindOf(READINGS[what]!(reader({ retries: 0 })));
        if (what === 'logs' && Array.isArray(result)) continue;
        expect([what, result, kind]).toEqual([what, result, 'down']);
      }
    }
  });

  it('calls a chain of another form than a number down, and not another chain', async () => {
    for (const result of ['0xzz', {}, [], true, 'nine', '', null, 1.5]) {
      node.behave((call, honest) => (call.method === 'eth_chainId' ? { result } : honest()));
      expect([result, await kindOf(reader({ retries: 0 }).head())]).toEqual([result, 'down']);
    }
  });

  it.each([
    ['in another order', (a: readonly object[]) => a.toReversed(), ['answered', 'answered', 'answered']],
    [
      'among others',
      (a: readonly object[]) => [1, 'x', null, [], ...a],
      ['answered', 'answered', 'answered'],
    ],
    ['but for one', (a: readonly object[]) => a.slice(1), ['down', 'answered', 'answered']],
    ['with nothing', () => [], ['down', 'down', 'down']],
    ['with nothing for each', (a: readonly object[]) => a.map(() => null), ['down', 'down', 'down']],
    ['with a list in a list', (a: readonly object[]) => [a], ['down', 'down', 'down']],
    ['with an object', (a: readonly object[]) => ({ ...a }), ['down', 'down', 'down']],
    ['with a text', () => 'Sorry', ['down', 'down', 'down']],
    [
      'with their numbers as texts',
      (a: readonly object[]) => a.map((one) => ({ ...one, id: String((one as { id: number }).id) })),
      ['down', 'down', 'down'],
    ],
    [
      'beside a thousand times as much',
      (a: readonly object[]) => [
        ...Array.from({ length: 3_000 }, (_, i) => ({ id: -i, result: '0x' })),
        ...a,
      ],
      ['answered', 'answered', 'answered'],
    ],
  ])('gives each question its own answer or none where they are answered %s', async (_, bundle, kinds) => {
    node.behave((_call, honest) => honest());
    const r = reader({ retries: 0 });
    await r.head();
    node.behave((_call, honest) => honest(), bundle);
    const asked = ['code', 'nonce', 'balance'].map((what) => kindOf(READINGS[what]!(r)));
    expect(await Promise.all(asked)).toEqual(kinds);
  });

  it('keeps the secrets of its URL out of what it says', async () => {
    node.behave(() => html(500));
    const secret = node.url.replace('http://', 'http://user:pass@').concat('/v3/api-key-123');
    const error = await reader({ rpcUrl: secret, retries: 0 })
      .head()
      .catch((e: unknown) => e);
    expect((error as Error).message).not.toMatch(/api-key-123|pass/);
    await rpc(chain.url, 'eth_blockNumber');
  });
});
