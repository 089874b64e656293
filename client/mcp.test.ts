import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { type McpOptions, mcpTools } from './mcp.ts';

const BASE = 'https://handshake.example';
const key = privateKeyToAccount(generatePrivateKey());

const text = ({
  site = BASE,
  wallet = key.address as string,
} = {}): string => `${site} wants you to sign in with your Ethereum account:
${wallet}

Pause agent mine.

URI: ${site}/agent/mine/session
Version: 1
Chain ID: 1002
Nonce: 12345678
Issued At: 2026-11-21T12:00:00.000Z
Resources:
- urn:http:method:POST`;

/** A service whose tools ask for a signature over this text, and what was signed and shown meanwhile. */
function serving(message: string, options: Partial<McpOptions> = {}) {
  const seen = { signed: [] as string[], shown: [] as string[], calls: 0 };
  const account = {
    ...key,
    signMessage: async (given: { message: string }) => {
      seen.signed.push(given.message);
      return await key.signMessage(given);
    },
  } as typeof key;
  const answering: typeof fetch = async (_, init) => {
    seen.calls += 1;
    const { id, params } = JSON.parse(String(init?.body));
    const done = params.arguments.ownerSignature !== undefined;
    const sign = { message, nonce: 'a1', wallet: key.address, says: 'Pause agent mine.' };
    const result = done ? { structuredContent: { done } } : { isError: true, structuredContent: { sign } };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const approve = (_says: string, shown: string) => {
    seen.shown.push(shown);
    return true;
  };
  const tools = mcpTools(BASE, { account, approve, fetch: answering, ...options });
  return { seen, call: () => tools.call('set_session', { handle: 'mine', action: 'pause' }) };
}

describe('a tool that asks for the signature of an owner', () => {
  it('gets it once it is approved, for a text of its own site', async () => {
    const { seen, call } = serving(text());
    expect(await call()).toMatchObject({ structuredContent: { done: true } });
    expect(seen).toEqual({ signed: [text()], shown: [text()], calls: 2 });
  });

  it.each([
    ['of another site', text({ site: 'https://other-market.example' })],
    ['of a site that begins alike', text({ site: `${BASE}.evil.example` })],
    ['for another wallet', text({ wallet: `0x${'aa'.repeat(20)}` })],
    ['that is no sign-in', 'I give all that I have to whoever shows this.'],
  ])('gets none for a text %s, and nobody is asked to approve it', async (_, message) => {
    const { seen, call } = serving(message);
    await expect(call()).rejects.toMatchObject({ code: 'message-refused' });
    expect(seen).toEqual({ signed: [], shown: [], calls: 1 });
  });

  it('gets none where nobody approves', async () => {
    for (const approve of [undefined, () => false]) {
      const { seen, call } = serving(text(), { approve });
      expect(await call()).toMatchObject({ isError: true });
      expect(seen.signed).toEqual([]);
    }
  });
});

describe('a tool that cannot be called so', () => {
  it('is refused with what is wrong, whether the service finds it or nothing was sent', async () => {
    const error = { code: -32_602, message: 'There is no tool "nonsense".' };
    const answering: typeof fetch = async () =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    const tools = mcpTools(BASE, { fetch: answering });
    const refused = (path: string) => ({ code: 'bad-request', errors: [{ path }] });
    await expect(tools.call('nonsense')).rejects.toMatchObject(refused('params'));
    await expect(tools.call('quote', { usd: 1n })).rejects.toMatchObject(refused('arguments'));
  });
});

it.each([
  [429, { code: 'rate-limited' }, { code: 'rate-limited', retry: true, retryAfterMs: 60_000 }],
  [503, { code: 'timeout', detail: 'Again.' }, { code: 'timeout', retry: true, message: 'Again.' }],
  [413, { code: 'too-large' }, { code: 'too-large', retry: false }],
  [400, { code: 'bad-request', requestId: 'r1' }, { code: 'bad-request', requestId: 'r1' }],
  [404, { code: 'nonsense' }, { code: 'unexpected-answer', retry: false }],
  [404, null, { code: 'unexpected-answer', retry: false }],
  [502, { code: 'nonsense' }, { code: 'unreachable', retry: true }],
  [200, { code: 'timeout' }, { code: 'unexpected-answer', retry: false }],
])('tells a refusal of the service from an answer of somebody else: %i %j', async (status, body, told) => {
  const headers = status === 429 ? { 'retry-after': '60' } : undefined;
  const answering: typeof fetch = async () => new Response(JSON.stringify(body), { status, headers });
  const tools = mcpTools(BASE, { fetch: answering, patienceMs: 0 });
  await expect(tools.call('quote')).rejects.toMatchObject({ ...told, status });
});

describe('a tool that is paid for', () => {
  const offer = {
    ...{ scheme: 'exact', network: 'eip155:84532', payTo: `0x${'ab'.repeat(20)}`, amount: '10000' },
    ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', maxTimeoutSeconds: 60 },
    extra: { name: 'USDC', version: '2' },
  };
  const terms = { x402Version: 2, resource: { url: BASE }, accepts: [offer] };
  type Result = Readonly<Record<string, unknown>>;

  /** An answer that comes when it is told to. */
  function later() {
    let resolve: (answer: Result) => void = () => {};
    const promise = new Promise<Result>((told) => {
      resolve = told;
    });
    return { promise, resolve };
  }

  /** A service whose first answers to a payment are these. */
  function serving(answers: readonly (Result | Error | Promise<Result>)[], budgetUsd = 0.01) {
    const nonces: (string | null)[] = [];
    const left = [...answers];
    const answering: typeof fetch = async (_, init) => {
      const { id, params } = JSON.parse(String(init?.body));
      const payment = params._meta?.['x402/payment'];
      nonces.push(payment?.payload.authorization.nonce ?? null);
      const paid = () => left.shift() ?? { structuredContent: { verdict: 'CLEAN' } };
      const result = payment === undefined ? { isError: true, structuredContent: terms } : await paid();
      if (result instanceof Error) throw result;
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    const tools = mcpTools(BASE, { account: key, budgetUsd, patienceMs: 0, fetch: answering });
    return { nonces, tools, call: (address: string) => tools.call('check', { address }) };
  }

  it('is paid for once where the answer was lost and it is called again', async () => {
    const late = { isError: true, structuredContent: { status: 503, code: 'timeout' } };
    const { nonces, call } = serving([new TypeError('the connection was cut off'), late]);
    await expect(call('0xaa')).rejects.toMatchObject({ code: 'unreachable' });
    expect(await call('0xaa')).toEqual(late);
    expect(await call('0xaa')).toMatchObject({ structuredContent: { verdict: 'CLEAN' } });
    expect(nonces).toEqual([null, nonces[1], nonces[1], nonces[1]]);
  });

  it('is paid for once where something between refused it and it is called again', async () => {
    const forbidden = { isError: true, structuredContent: { status: 403, message: 'Forbidden' } };
    const failed = { isError: true, content: [{ type: 'text', text: 'upstream failed' }] };
    const { nonces, call } = serving([forbidden, failed]);
    for (const told of [forbidden, failed, { structuredContent: { verdict: 'CLEAN' } }])
      expect(await call('0xaa')).toEqual(told);
    expect(nonces).toEqual([null, nonces[1], nonces[1], nonces[1]]);
  });

  it('is paid for once whatever the order of its arguments, and again for other ones', async () => {
    const { nonces, tools } = serving([new TypeError('the connection was cut off')], 0.02);
    const on = (at: Date) => ({ of: { chainId: 1002, at }, address: '0xaa' });
    const [day, other] = [new Date(0), new Date(1)];
    await expect(tools.call('check', on(day))).rejects.toMatchObject({ code: 'unreachable' });
    await tools.call('check', on(other));
    await tools.call('check', { address: '0xaa', of: { at: day, chainId: 1002 } });
    expect(nonces).toEqual([null, nonces[1], null, nonces[3], nonces[1]]);
    expect(nonces[3]).not.toBe(nonces[1]);
  });

  it('is paid for once by calls of the same at the same time', async () => {
    const { nonces, call } = serving([]);
    await Promise.all([call('0xaa'), call('0xaa')]);
    expect(nonces).toEqual([null, null, nonces[2], nonces[2]]);
    await expect(call('0xaa')).rejects.toMatchObject({ code: 'over-budget' });
  });

  it('is paid for once more by all calls whose payment was refused, whenever each is told', async () => {
    const refused = { isError: true, structuredContent: { ...terms, status: 402 } };
    const [refusal, answer] = [later(), later()];
    const lost = new TypeError('the connection was cut off');
    const { nonces, call } = serving([lost, refused, refusal.promise, answer.promise], 0.03);
    await expect(call('0xaa')).rejects.toMatchObject({ code: 'unreachable' });
    const both = [call('0xaa'), call('0xaa')];
    await vi.waitFor(() => expect(nonces).toHaveLength(5));
    refusal.resolve(refused);
    await vi.waitFor(() => expect(nonces).toHaveLength(6));
    answer.resolve({ structuredContent: { verdict: 'CLEAN' } });
    await Promise.all(both);
    const [, first, , , second] = nonces;
    expect(nonces).toEqual([null, first, first, first, second, second]);
  });

  describe('whose wallet never signs', () => {
    /** A service that is paid for, and a wallet whose first signature never comes. */
    function unsigned(options: Partial<McpOptions>, paying = terms) {
      const asked = { signatures: 0 };
      const account = {
        ...key,
        signTypedData: (given: never) => {
          asked.signatures += 1;
          return asked.signatures === 1 ? new Promise(() => {}) : key.signTypedData(given);
        },
      } as typeof key;
      const answering: typeof fetch = async (_, init) => {
        const { id, params } = JSON.parse(String(init?.body));
        const result =
          params._meta === undefined
            ? { isError: true, structuredContent: paying }
            : { structuredContent: { verdict: 'CLEAN' } };
        return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }));
      };
      const tools = mcpTools(BASE, { account, patienceMs: 0, fetch: answering, ...options });
      return { asked, call: () => tools.call('check', {}) };
    }

    it('ends after the time of a try, shares the signature meanwhile, and is signed anew after', async () => {
      const short = { ...terms, accepts: [{ ...offer, maxTimeoutSeconds: 1 }] };
      const { asked, call } = unsigned({ timeoutMs: 50 }, short);
      const late = { code: 'signature-missing', retry: true };
      await expect(call()).rejects.toMatchObject(late);
      await expect(call()).rejects.toMatchObject(late);
      expect(asked.signatures).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(await call()).toMatchObject({ structuredContent: { verdict: 'CLEAN' } });
      expect(asked.signatures).toBe(2);
    });

    it('ends when its signal says so', async () => {
      const ending = new AbortController();
      const { asked, call } = unsigned({ signal: ending.signal });
      const called = call();
      await vi.waitFor(() => expect(asked.signatures).toBe(1));
      const reason = new Error('enough');
      ending.abort(reason);
      await expect(called).rejects.toBe(reason);
    });
  });

  it('is not paid for with what another call was paid with, nor with a payment that was answered', async () => {
    const { nonces, call } = serving([new TypeError('the connection was cut off')]);
    await expect(call('0xaa')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(call('0xbb')).rejects.toMatchObject({ code: 'over-budget' });
    await call('0xaa');
    await expect(call('0xaa')).rejects.toMatchObject({ code: 'over-budget' });
    expect(nonces).toEqual([null, nonces[1], null, nonces[1], null]);
  });
});
