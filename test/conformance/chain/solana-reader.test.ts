import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onCurve } from '../../../agents/determinations/wallet/solana/solana-curve.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { kitSolanaReader } from '../../../chain/rpc/solana/kit-reader.ts';
import { CLUSTERS, type SolanaReaderOptions } from '../../../chain/rpc/solana/reader.ts';
import { web3SolanaReader } from '../../../chain/rpc/solana/web3-reader.ts';
import { type Conduct, type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';
import { SLOT, SOLANA, SOLANA_ERRORS, solanaConduct } from '../../fixtures/solana-rpc.ts';

const AT = new Date('2026-11-21T08:00:00.000Z');
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const NONCE_AUTHORITY = '6WJfN1fqrEEMSVKnzZkR4vJTMTxBaqvka2KA7aQHJMfF';
const honest = solanaConduct({ at: AT });
/** For a node that never answers: what one attempt is given. */
const SHORT_MS = 150;

let node: WaywardRpc;

beforeAll(async () => {
  node = await waywardRpc();
});
beforeEach(() => node.behave(honest));
afterAll(() => node?.stop());

describe.each([
  ['@solana/web3.js', web3SolanaReader],
  ['@solana/kit', kitSolanaReader],
] as const)('over %s', (client, make) => {
  const reader = (over: Partial<SolanaReaderOptions> = {}) =>
    make({ rpcUrl: node.url, timeoutMs: 60_000, retries: 2, backoffMs: 1, ...over });
  const shape = async (address: string) => (await reader().account(address, [USDC])).account?.is;

  describe('the Solana reader', () => {
    it('says who it is without the secrets of its URL', () => {
      const named = reader({ rpcUrl: 'https://user:pass@sol.example:8443/api-key' });
      expect([named.client, named.endpoint]).toEqual([client, 'sol.example:8443']);
    });

    it('reads an account, its slot and that slot’s time, with two questions at commitment finalized', async () => {
      const asked: unknown[] = [];
      node.behave((call, pass) => {
        const options = call.params?.[1] as { commitment?: string } | undefined;
        // A question that names no commitment is answered at finalized (Solana's RPC reference).
        asked.push([call.method, options && (options.commitment ?? 'finalized')]);
        return honest(call, pass);
      });
      expect(await reader().account(SOLANA.plain!, [USDC])).toEqual({
        cluster: 'mainnet-beta',
        slot: String(SLOT),
        at: AT.toISOString(),
        onCurve: true,
        account: {
          lamports: '1234567890',
          owner: '11111111111111111111111111111111',
          executable: false,
          is: { kind: 'wallet' },
        },
        holdings: [],
      });
      expect(asked).toEqual([
        ['getGenesisHash', undefined],
        ['getMultipleAccounts', 'finalized'],
      ]);
    });

    it('reads recorded mainnet accounts: a mint of each token program, a token account, a nonce account', async () => {
      expect(await shape(USDC)).toEqual({
        kind: 'mint',
        mintAuthority: 'BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenNw5ruG',
        freezeAuthority: '7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar',
      });
      expect(await shape('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo')).toEqual({
        kind: 'mint',
        mintAuthority: null,
        freezeAuthority: null,
      });
      expect(await shape('Ac7YW6ktKRNX9aEFFes2NBsgYtz77PJX3CZg5KK7gx3B')).toEqual({
        kind: 'token-account',
        mint: USDC,
        holder: '5QxkJGkYTxkJBp575w39Qumi8v2g3bxLWaXjpJsquYky',
        amount: '217775889',
        frozen: false,
        delegate: null,
        delegatedAmount: '0',
        closeAuthority: null,
      });
      expect(await shape('BRUkmtZMCSDjLeGZ7xYqan1eRMGpCqi3QHQX42VniBog')).toMatchObject({
        kind: 'token-account',
        amount: '86840850',
      });
      expect(await shape('Cwe1oHwY8fnsQUAFiFYQDhGmm3ymiz7q9SjEdx4w7U1')).toEqual({
        kind: 'nonce',
        authority: NONCE_AUTHORITY,
      });
    });

    it('finds a wallet’s own token accounts where mainnet has them, and only those it still holds', async () => {
      const holder = '5QxkJGkYTxkJBp575w39Qumi8v2g3bxLWaXjpJsquYky';
      const { account, holdings } = await reader().account(holder, [USDC]);
      expect([account, holdings.map((h) => h.amount)]).toEqual([null, ['217775889']]);
      expect((await reader().account(SOLANA.frozenHolder!, [USDC])).holdings).toMatchObject([
        { frozen: true },
      ]);
      expect((await reader().account(SOLANA.delegatedHolder!, [USDC])).holdings).toMatchObject([
        { frozen: false, delegate: SOLANA.delegate, delegatedAmount: '5000000' },
      ]);
      expect((await reader().account(SOLANA.plain!, [USDC])).holdings).toEqual([]);
      expect((await reader().account(holder, [])).holdings).toEqual([]);
      node.behave(
        changed((r) => ({
          ...r,
          value: r.value.map((v, i) => (i === 3 ? heldBy(v as Wire, SOLANA.delegate!) : v)),
        })),
      );
      expect((await reader().account(holder, [USDC])).holdings).toEqual([]);
    });

    it('tells who may change a program, by each loader', async () => {
      const program = (upgradeable: boolean, authority: string | null) => ({
        kind: 'program',
        upgradeable,
        authority,
      });
      expect(await shape('C7PXyLpLQBh3Ce7e9DNj3rDVUvwqa5orDwQG5hs1rfNi')).toEqual(
        program(true, SOLANA.authority!),
      );
      expect(await shape(SOLANA.fixedProgram!)).toEqual(program(true, null));
      expect(await shape(SOLANA.loaderV4Program!)).toEqual(program(true, SOLANA.authority!));
      expect(await shape('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).toEqual(program(false, null));
      expect(await shape('11111111111111111111111111111111')).toEqual(program(false, null));
      expect(await shape(SOLANA.closedProgram!)).toMatchObject({ kind: 'unknown' });
    });

    it('takes no form that it does not know for a wallet', async () => {
      expect(await shape(SOLANA.token2022Account!)).toMatchObject({
        kind: 'token-account',
        delegate: SOLANA.delegate,
      });
      expect(await shape(SOLANA.oddTokenAccount!)).toMatchObject({ kind: 'unknown' });
      expect(await shape(SOLANA.multisig!)).toEqual({
        kind: 'multisig',
        required: 1,
        signers: [SOLANA.signer],
      });
      expect(await shape(SOLANA.stakeAccount!)).toEqual({
        kind: 'stake',
        staker: SOLANA.staker,
        withdrawer: SOLANA.withdrawer,
      });
      expect(await shape(SOLANA.voteAccount!)).toEqual({ kind: 'data' });
      // Whoever initialises one of these first decides over it.
      expect(await shape(SOLANA.emptyStakeAccount!)).toMatchObject({ kind: 'unknown' });
      expect(await shape(SOLANA.emptyNonceAccount!)).toMatchObject({ kind: 'unknown' });
      expect((await reader().account(SOLANA.vault!, [])).onCurve).toBe(false);
      expect((await reader().account(SOLANA.nobody!, [])).account).toBeNull();
    });

    it('agrees with the pure computation on which addresses lie on the curve', () => {
      const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
      fc.assert(
        fc.property(bytes, (raw) => onCurve(new PublicKey(raw).toBase58()) === PublicKey.isOnCurve(raw)),
        { numRuns: 300 },
      );
      for (const known of [...Object.values(SOLANA), USDC, '1'.repeat(32)]) {
        expect([known, onCurve(known)]).toEqual([known, PublicKey.isOnCurve(known)]);
      }
    });
  });

  interface Wire {
    readonly data: readonly [string, string];
  }

  /** The token account with another holder. */
  function heldBy(account: Wire, holder: string): Wire {
    const data = Buffer.from(account.data[0], 'base64');
    new PublicKey(holder).toBuffer().copy(data, 32);
    return { ...account, data: [data.toString('base64'), 'base64'] };
  }

  interface Failure {
    readonly conduct: Conduct;
    readonly kind: ReaderError['kind'];
    readonly attempts: number;
  }

  const accounts =
    (answer: Conduct): Conduct =>
    (call, pass) =>
      call.method === 'getMultipleAccounts' ? answer(call, pass) : honest(call, pass);
  const changed = (change: (result: { context: { slot: number }; value: unknown[] }) => unknown): Conduct =>
    accounts(async (call, pass) => {
      const { result } = (await honest(call, pass)) as { result: never };
      return { result: change(structuredClone(result)) };
    });
  const refuses = (name: string): Failure['conduct'] => accounts(() => ({ error: SOLANA_ERRORS[name]! }));
  const page = (status: number) => accounts(() => ({ status, body: '<html>Sorry</html>' }));

  const FAILURES: Readonly<Record<string, Failure>> = {
    'cuts the connection': { conduct: accounts(() => 'cut'), kind: 'down', attempts: 3 },
    'never answers': { conduct: accounts(() => 'hang'), kind: 'slow', attempts: 3 },
    'never ends its answer': { conduct: accounts(() => 'endless'), kind: 'slow', attempts: 3 },
    'is overrun (HTTP 429)': { conduct: page(429), kind: 'down', attempts: 3 },
    'breaks (HTTP 502)': { conduct: page(502), kind: 'down', attempts: 3 },
    'does not know the key (HTTP 403)': { conduct: page(403), kind: 'down', attempts: 1 },
    'answers a page': { conduct: page(200), kind: 'down', attempts: 3 },
    'answers another question': {
      conduct: accounts(async (call, pass) => ({ ...((await honest(call, pass)) as object), id: 'other' })),
      kind: 'down',
      attempts: 3,
    },
    'is behind': { conduct: refuses('nodeBehind'), kind: 'down', attempts: 3 },
    'is unhealthy': { conduct: refuses('nodeUnhealthy'), kind: 'down', attempts: 3 },
    'has not the slot yet': { conduct: refuses('minContextSlot'), kind: 'down', attempts: 3 },
    'refuses the parameters': { conduct: refuses('invalidParam'), kind: 'down', attempts: 1 },
    'does not know the method': { conduct: refuses('methodNotFound'), kind: 'down', attempts: 1 },
    'has an error of its own': { conduct: refuses('internal'), kind: 'down', attempts: 3 },
    'has a limit on requests': { conduct: refuses('tooManyRequests'), kind: 'down', attempts: 3 },
    'answers null': { conduct: accounts(() => ({ result: null })), kind: 'down', attempts: 3 },
    'answers fewer accounts than were asked': {
      conduct: changed((r) => ({ ...r, value: r.value.slice(0, 2) })),
      kind: 'down',
      attempts: 3,
    },
    'answers an account without an owner': {
      conduct: changed((r) => ({ ...r, value: [{ lamports: 1 }, ...r.value.slice(1)] })),
      kind: 'down',
      attempts: 3,
    },
    'does not name the slot': {
      conduct: changed((r) => ({ value: r.value })),
      kind: 'down',
      attempts: 3,
    },
    'does not show the clock': {
      conduct: changed((r) => ({ ...r, value: r.value.map((v, i) => (i === 1 ? null : v)) })),
      kind: 'down',
      attempts: 3,
    },
    'shows a clock of another slot': {
      conduct: solanaConduct({ at: AT, clockSlot: SLOT - 5_000 }),
      kind: 'disagreeing',
      attempts: 1,
    },
  };

  describe.each(Object.entries(FAILURES))('a Solana node that %s', (_, { conduct, kind, attempts }) => {
    it(`is called ${kind}, and asked again only where that can help`, async () => {
      node.behave(conduct);
      const r = reader(kind === 'slow' ? { timeoutMs: SHORT_MS } : {});
      const began = performance.now();
      const error = await r.account(SOLANA.plain!, [USDC]).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ReaderError);
      expect((error as ReaderError).kind).toBe(kind);
      expect((error as ReaderError).message).not.toContain('127.0.0.1');
      const asked = node.asked().filter((m) => m === 'getMultipleAccounts').length;
      if (kind !== 'slow') return expect(asked).toBe(attempts);
      // On a busy machine an attempt may be over before it has arrived: it took its time all the same.
      expect(asked).toBeLessThanOrEqual(attempts);
      expect(performance.now() - began).toBeGreaterThan((attempts - 0.5) * SHORT_MS);
    });
  });

  describe('a Solana node', () => {
    it('is called down when nothing listens there', async () => {
      const closed = await waywardRpc();
      await closed.stop();
      const asked = reader({ rpcUrl: closed.url }).account(SOLANA.plain!, []);
      await expect(asked).rejects.toMatchObject({ name: 'ReaderError', kind: 'down' });
    });

    it('that stands, or comes to stand, for another cluster than it should is called disagreeing', async () => {
      const r = reader();
      await r.account(SOLANA.plain!, []);
      node.behave((call, pass) =>
        call.method === 'getGenesisHash'
          ? { result: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }
          : honest(call, pass),
      );
      for (const mainnet of [r, reader()])
        await expect(mainnet.account(SOLANA.plain!, [])).rejects.toMatchObject({
          kind: 'disagreeing',
          message: 'the node stands for devnet, and not for mainnet-beta',
        });
      const devnet = reader({ genesis: CLUSTERS.devnet });
      expect((await devnet.account(SOLANA.plain!, [])).cluster).toBe('devnet');
    });

    it('that recovers is read at the next attempt', async () => {
      let ill = 2;
      node.behave((call, pass) =>
        call.method === 'getMultipleAccounts' && ill-- > 0
          ? { error: SOLANA_ERRORS.nodeBehind! }
          : honest(call, pass),
      );
      expect((await reader().account(SOLANA.plain!, [])).slot).toBe(String(SLOT));
    });
  });
});
