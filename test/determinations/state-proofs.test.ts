import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Depth, WalletRecord } from '../../agents/determinations/panel/types.ts';
import { chainReaders } from '../../runtime/chain-readers.ts';
import { readConfig } from '../../runtime/config/config.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { NO_SPANS } from '../../runtime/telemetry/spans.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** One node behind both readers lies to both alike. Only proofs of the state can tell. */

const [PLAIN, DELEGATED, PROXY, DRAINER] = ['plain', 'delegated', 'proxy', 'drainer of proofs'].map(
  drawn,
) as [string, string, string, string];
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Delegates every call to the address in the slot of EIP-1967. */
const PROXY_CODE = `0x3660008037600080366000${`7f${IMPLEMENTATION.slice(2)}`}545af43d6000803e3d6000f3`;

let stage: Awaited<ReturnType<typeof walletStage>>;

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('known-scam', [DRAINER]);
  await stage.list('sanctions', [drawn('somebody else')]);
  await stage.rpc('anvil_setBalance', PLAIN, toHex(5n * 10n ** 18n));
  await stage.rpc('anvil_setCode', DELEGATED, `0xef0100${DRAINER.slice(2)}`);
  await stage.rpc('anvil_setCode', DRAINER, '0x6001600101');
  await stage.rpc('anvil_setCode', PROXY, PROXY_CODE);
  await stage.rpc('anvil_setStorageAt', PROXY, IMPLEMENTATION, `0x${DRAINER.slice(2).padStart(64, '0')}`);
  await stage.rpc('anvil_mine', '0x1');
}, 240_000);
afterEach(() => stage?.second.lie((_, result) => result));
afterAll(async () => await stage?.stop());

/** Both readers ask the node that may lie. */
function readers(setting: 'on' | 'off'): EvidenceDeps['readers'] {
  const config = readConfig({ STATE_PROOFS_1002: setting, HEAD_AGE_1002: '86400' });
  const around = { config, spans: NO_SPANS, now: () => new Date() };
  const rpcUrls = [stage.second.url] as const;
  const of = { chainId: 1002, rpcUrls, freshen: null, known: new Map() };
  return new Map([[1002, chainReaders(of, around)]]);
}
const on = async (who: string, setting: 'on' | 'off', depth: Depth = '2-of-2'): Promise<WalletRecord> =>
  (await stage.on(who, depth, { readers: readers(setting) })).record;

const isOf = (params: readonly unknown[] | undefined, who: string) =>
  String(params?.[0]).toLowerCase() === who.toLowerCase();

type Alter = Parameters<typeof stage.second.lie>[0];
const LIES: Readonly<Record<string, readonly [who: string, told: RegExp, lie: Alter]>> = {
  'has no code': [
    DELEGATED,
    /the code that the node tells of 0x[0-9a-f]{40} is not that of block/,
    ({ method, params }, result) => (method === 'eth_getCode' && isOf(params, DELEGATED) ? '0x' : result),
  ],
  'delegates to another, by one byte of its code': [
    DELEGATED,
    /the code that the node tells of/,
    ({ method, params }, result) =>
      method === 'eth_getCode' && isOf(params, DELEGATED)
        ? `0xef0100${DRAINER.slice(2, -2)}${DRAINER.endsWith('00') ? '01' : '00'}`
        : result,
  ],
  'has an empty slot': [
    PROXY,
    /its implementation 0x[0-9a-f]{40} is on known-scam|1 listed addresses inside the account's code/,
    ({ method, params }, result) => {
      if (!isOf(params, PROXY)) return result;
      if (method === 'eth_getStorageAt') return `0x${'0'.repeat(64)}`;
      return result;
    },
  ],
  'has another balance': [
    PLAIN,
    /read different facts at the same block: chains\[eip155:1002\]\.balance/,
    ({ method, params }, result) => {
      if (!isOf(params, PLAIN)) return result;
      if (method === 'eth_getBalance') return '0x1';
      return method === 'eth_getProof' ? { ...(result as object), balance: '0x1' } : result;
    },
  ],
  'has another balance, with a proof that was changed': [
    PLAIN,
    /the node does not prove what it tells of 0x[0-9a-f]{40} in block/,
    ({ method, params }, result) => {
      if (!isOf(params, PLAIN)) return result;
      if (method === 'eth_getBalance') return '0x1';
      if (method !== 'eth_getProof') return result;
      const { accountProof, ...rest } = result as { accountProof: string[] };
      const leaf = accountProof.at(-1)!.replace('4563918244f40000', '4563918244f40001');
      return { ...rest, accountProof: [...accountProof.slice(0, -1), leaf] };
    },
  ],
};

const words = ({ evidence: { checks, panel } }: WalletRecord): string =>
  [...checks.map((c) => c.detail), ...panel.votes.flatMap((v) => v.reasons)].join('\n');

describe('a wallet determination whose two readers ask one node', () => {
  it('says in its sources what is proven, and is CLEAN of a plain wallet either way', async () => {
    const [proven, told] = [await on(PLAIN, 'on'), await on(PLAIN, 'off')];
    expect([proven.verdict, told.verdict]).toEqual(['CLEAN', 'CLEAN']);
    const limits = ({ evidence }: WalletRecord) => evidence.gathered.seats.map((s) => s.limit);
    const says = "balances, nonces, code and storage of eip155:1002 are proven against the block's header";
    expect(limits(proven).map((limit) => limit.includes(says))).toEqual([false, true]);
    expect(limits(told).join()).not.toContain('proven');
  });

  it.each(Object.keys(LIES).filter((lie) => lie !== 'delegates to another, by one byte of its code'))(
    'is misled by it where nothing is proven: the wallet %s',
    async (name) => {
      const [who, , lie] = LIES[name]!;
      stage.second.lie(lie);
      expect((await on(who, 'off')).verdict).toBe('CLEAN');
    },
  );

  for (const depth of ['2-of-2', 'superconsensus'] as const)
    it.each(Object.keys(LIES))(`tells by proofs that it lies, at ${depth}: the wallet %s`, async (name) => {
      const [who, told, lie] = LIES[name]!;
      stage.second.lie(lie);
      const record = await on(who, 'on', depth);
      expect(record.verdict).toBe('FLAGGED');
      expect(words(record)).toMatch(told);
    });

  it('leaves it open where its node proves nothing', async () => {
    stage.second.lie(({ method }, result) => (method === 'eth_getProof' ? null : result));
    const record = await on(PLAIN, 'on');
    expect(record.evidence.panel.votes.map(({ vote }) => vote)).toEqual(['CLEAN', 'INCONCLUSIVE']);
    expect(record.verdict).toBe('FLAGGED');
  });
});
