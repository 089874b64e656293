import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLUSTERS } from '../../chain/rpc/solana/reader.ts';
import { embedded, readConfig } from './config.ts';
import { KEY_ROLES, privateKeySetting, signerSetting } from './role-keys.ts';

describe('configuration', () => {
  it('needs nothing: every part has an embedded default', () => {
    const config = readConfig({});
    expect(config.port).toBe(4021);
    expect(config.baseUrl).toBe('http://127.0.0.1:4021');
    expect(config.databaseUrl).toBeNull();
    expect(embedded(config)).toBe(true);
  });

  it('takes a pace by kind of effect, and lets as many go at once as in a second unless it is said', () => {
    expect([...readConfig({ EFFECT_RATES: 'determine=2.5, settle=5:10' }).effectRates]).toEqual([
      ['determine', { perSecond: 2.5, burst: 3 }],
      ['settle', { perSecond: 5, burst: 10 }],
    ]);
  });

  it('deploys wallets of payers through known factories alone, or through none', () => {
    expect(readConfig({}).walletFactories).toHaveLength(2);
    const own = `0x${'12'.repeat(20)}`;
    expect(readConfig({ WALLET_FACTORIES: `${own}, ${own}` }).walletFactories).toEqual([own, own]);
    expect(readConfig({ WALLET_FACTORIES: 'none' }).walletFactories).toEqual([]);
  });

  it('takes how old the head of a chain may be, by chain, and refuses what is no age', () => {
    expect([...readConfig({ HEAD_AGE_1002: '90', HEAD_AGE_1: '', HEAD_AGE_8453: '60' }).headAge]).toEqual([
      [1002, 90],
      [8453, 60],
    ]);
    expect([...readConfig({ TRANSFERS_SINCE_1002: '7' }).transfersSince]).toEqual([[1002, 7]]);
    expect(() => readConfig({ TRANSFERS_SINCE_1002: '90d' })).toThrow(/TRANSFERS_SINCE_1002/);
    expect(() => readConfig({ HEAD_AGE_1002: '0' })).toThrow(/HEAD_AGE_1002/);
    expect(() => readConfig({ HEAD_AGE_84532: 'old' })).toThrow(/HEAD_AGE_84532/);
  });

  it('takes RPC URLs of any further chain, one or two, and refuses what is no URL', () => {
    const env = { RPC_URL_8453: 'http://a,http://b', RPC_URL_1: 'https://c', RPC_URL_10: ' ' };
    expect([...readConfig(env).askedRpcUrls]).toEqual([
      [1, ['https://c']],
      [8453, ['http://a', 'http://b']],
    ]);
    expect(readConfig(env).rpcUrls).toEqual({ 1002: [], 84532: [] });
    expect([
      ...readConfig({ RPC_URL_084: 'http://a', WALLET_RPC_URL_1002: 'http://a' }).askedRpcUrls,
    ]).toEqual([]);
    expect(() => readConfig({ RPC_URL_8453: 'ws://x' })).toThrow(/RPC_URL_8453 is set wrongly/);
    expect([...readConfig({ EXPLORER_URL_1: 'https://e/api/v2' }).explorerUrls]).toEqual([
      [1, 'https://e/api/v2'],
    ]);
    expect(() => readConfig({ EXPLORER_URL_1: 'explorer' })).toThrow(/EXPLORER_URL_1 is set wrongly/);
  });

  it('has state proven on the chains for which it is on', () => {
    const env = {
      STATE_PROOFS_1: 'on',
      STATE_PROOFS_10: 'off',
      STATE_PROOFS_1002: 'on',
      STATE_PROOFS_: 'on',
    };
    expect([...readConfig(env).stateProofs]).toEqual([1, 1002]);
    expect([...readConfig({}).stateProofs]).toEqual([]);
    expect(() => readConfig({ STATE_PROOFS_1: 'yes' })).toThrow(/STATE_PROOFS_1/);
  });

  it('takes what each chain requires by name, or none', () => {
    const { requiredChecks } = readConfig({ REQUIRED_CHECKS_1: 'lists, code', REQUIRED_CHECKS_8453: 'none' });
    expect([...requiredChecks]).toEqual([
      [1, ['lists', 'code']],
      [8453, []],
    ]);
    expect(() => readConfig({ REQUIRED_CHECKS_1: 'lists,luck' })).toThrow(/REQUIRED_CHECKS_1/);
  });

  it('treats an empty setting as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' }).port).toBe(4021);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_READ_URL', 'mysql://x'],
    ['DATABASE_READ_LAG_SECONDS', '0'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://a:6379,rediss://b:6379'],
    ['RPC_URL_1002', 'ws://x'],
    ['RPC_URL_1002', 'http://a,http://b,http://c'],
    ['PAY_TO', '0x12'],
    ['WALLET_FACTORIES', '0x12'],
    ['KNOWN_WALLETS', '0x12=slot0'],
    ['KNOWN_WALLETS', `0x${'ab'.repeat(32)}=any`],
    ['GAS_BUDGET_UNPROVEN', '-1'],
    ['STRIPE_SECRET_KEY', 'pk_test_1'],
    ['STRIPE_WEBHOOK_SECRETS', 'whsec_1'],
    ['OPERATOR_PRIVATE_KEY', '0x1'],
    ['SESSION_KEY_SEED', '0x12'],
    ['OPERATOR_API_KEY', 'short'],
    ['EFFECT_RATES', 'settle'],
    ['EFFECT_RATES', 'settle=0'],
    ['EFFECT_RATES', 'settle=1:0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OPENAI_BASE_URL', 'localhost:1/v1'],
    ['OPENAI_TIMEOUT_SECONDS', '60'],
    ['OPENAI_MODELS', 'a,b,c'],
    ['OPENAI_MODELS', 'two words'],
    ['PRICING', 'free'],
    ['RESERVED_TLDS', 'a,b'],
    ['NAME_TOKENS', 'crypto'],
    ['NAME_TOKENS', 'crypto=0x12'],
    ['AUCTION_EXTENSION_SECONDS', '0'],
    ['ORDERS_PER_LOT', '0'],
    ['ORDERS_PER_LOT', '1001'],
    ['LOG_LEVEL', 'loud'],
    ['MODE', 'staging'],
    ['REQUEST_TIMEOUT_SECONDS', '0'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '0.0.0.0/1,128.0.0.0/1'],
    ['TRUST_PROXY', '::ffff:0.0.0.0/96'],
    ['TRUST_PROXY', '10.0.0.0/8, proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(name === 'STRIPE_WEBHOOK_SECRETS' ? 'STRIPE_SECRET_KEY' : name),
    );
  });

  it('takes models with a key, or at a server of its own without one', () => {
    const env = { OPENAI_MODELS: 'm1, m2' };
    expect(readConfig({}).reasoning).toBeNull();
    expect(readConfig({ ...env, OPENAI_API_KEY: 'sk-1' }).reasoning).toEqual({
      apiKey: 'sk-1',
      baseUrl: null,
      models: ['m1', 'm2'],
      timeoutMs: 8_000,
    });
    expect(readConfig({ ...env, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).reasoning?.models).toHaveLength(
      2,
    );
    expect(() => readConfig(env)).toThrow(/OPENAI_API_KEY/);
    expect(() => readConfig({ OPENAI_API_KEY: 'sk-1' })).toThrow(/OPENAI_MODELS/);
  });

  it('never makes keys for a chain that is not its own', () => {
    expect(() => readConfig({ RPC_URL_1002: 'https://rpc.example' })).toThrow(/OPERATOR_PRIVATE_KEY/);
  });

  it('crashes on purpose on embedded chains only', () => {
    const key = (): string => `0x${randomBytes(32).toString('hex')}`;
    const env = {
      RPC_URL_1002: 'https://rpc.example',
      OPERATOR_PRIVATE_KEY: key(),
      FACILITATOR_PRIVATE_KEY: key(),
      SESSION_KEY_SEED: key(),
    };
    expect(() => readConfig({ ...env, CRASH_AT: 'x' })).toThrow(/CRASH_AT/);
    expect(readConfig(env).crashAt).toBeNull();
  });

  it.each([
    ['1', 1],
    ['127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
    ['fd00::/8,::1', ['fd00::/8', '::1']],
    ['loopback', ['loopback']],
  ])('trusts the proxies of TRUST_PROXY=%s', (text, trusted) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trusted);
  });

  it('takes the cluster of Solana by name, or by genesis hash, and mainnet-beta when none is named', () => {
    const genesis = (text?: string) => readConfig({ SOLANA_CLUSTER: text }).solanaGenesis;
    expect(genesis()).toBe(CLUSTERS['mainnet-beta']);
    expect(genesis('devnet')).toBe(CLUSTERS.devnet);
    expect(genesis('9zYXwVuTsRqPoNmLkJiHgFeDcBa987654321ABCDEFGH')).toMatch(/^9zYX/);
    for (const wrong of ['mainnet', '0x12', 'constructor'])
      expect(() => genesis(wrong)).toThrow('SOLANA_CLUSTER');
  });

  it('lists every setting in .env.example, and no other', () => {
    const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8');
    const read = new Set(
      [...source.matchAll(/env,\s*'([A-Z][A-Z0-9_]+)'/g)].map((m) => m[1]!.replace(/_$/, '_<chainId>')),
    );
    for (const role of KEY_ROLES) read.add(privateKeySetting(role)).add(signerSetting(role));
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const listed = new Set([...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+(?:<chainId>)?)=/gm)].map((m) => m[1]));
    expect([...listed].sort()).toEqual([...read].sort());
  });
});
