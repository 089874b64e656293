import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { cardsOf, RULES } from './rules.ts';

const key = (): string => `0x${randomBytes(32).toString('hex')}`;
const ANVIL_KEY = `0x${'ac0974bec39a17e36ba4a6b4d238ff944bac'}${'b478cbed5efcae784d7bf4f2ff80'}`;

/** The settings of a service with real chains, cards and prices. */
const good = (): Record<string, string> => ({
  MODE: 'production',
  PRICING: 'live',
  HOST: '0.0.0.0',
  BASE_URL: 'https://handshake.example',
  TRUST_PROXY: '1',
  DATABASE_URL: 'postgres://user:password@db.example/handshake?sslmode=verify-full',
  REDIS_URL: 'rediss://redis.example:6379',
  RPC_URL_1002: 'https://one.example/v1/abc,https://two.example/v1/abc',
  RPC_URL_84532: 'https://base.one.example,http://127.0.0.1:8545',
  OPERATOR_PRIVATE_KEY: key(),
  MINTER_PRIVATE_KEY: key(),
  RECORDER_PRIVATE_KEY: key(),
  SETTLEMENT_SIGNER: 'keystore:/run/keys/settlement.json',
  KEYSTORE_PASSWORD_FILE: '/run/keys/password',
  RECORDS_SIGNER: `https://signer.example:9000/0x${'ab'.repeat(20)}`,
  FACILITATOR_PRIVATE_KEY: key(),
  SESSION_KEY_SEED: key(),
  OPERATOR_API_KEY: `op_${randomBytes(24).toString('hex')}`,
  STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString('hex')}`,
  STRIPE_WEBHOOK_SECRETS: `whsec_${randomBytes(16).toString('hex')}`,
  PAY_TO: `0x${'ab'.repeat(20)}`,
  REGISTER_SOURCES: 'sanctions/ofac=ofac-sdn+https://lists.example/sdn.xml',
});

/** The lines of the refusal, one for each problem; none when the settings are accepted. */
function refusals(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
}
const named = (env: Record<string, string>): string[] =>
  refusals(env).map((line) => line.split(/ is (?:set wrongly|not set): /)[0]!);
const without = (name: string, env = good()): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([setting]) => setting !== name));

describe('a further chain in production', () => {
  it('is read through two independent nodes over https, as every other', () => {
    const set = (value: string) => named({ ...good(), RPC_URL_8453: value });
    expect(set('https://one.example,https://two.example')).toEqual([]);
    expect(set('https://one.example')).toEqual(['RPC_URL_8453']);
    expect(set('https://one.example/a,https://one.example/b')).toEqual(['RPC_URL_8453']);
    expect(set('https://one.example,http://two.example')).toEqual(['RPC_URL_8453']);
    expect(refusals({ RPC_URL_8453: 'http://one.example' })).toEqual([]);
    const explorer = { EXPLORER_URL_8453: 'http://explorer.example/v2/api' };
    expect(named({ ...good(), ...explorer })).toEqual(['EXPLORER_URL_8453']);
  });
});

describe('production', () => {
  it('takes what a real service is started with', () => {
    expect(refusals(good())).toEqual([]);
    expect(refusals({ ...good(), PRICING: 'test' })).toEqual([]);
    expect(cardsOf(readConfig(good()))).toBe('real');
    expect(refusals({ ...good(), WALLET_RPC_URL_84532: 'https://sepolia.base.org' })).toEqual([]);
  });

  it('and live prices without it refuse by name, all at once, what is only good for trying things out', () => {
    for (const mode of [{ MODE: 'production' }, { PRICING: 'live' }] as Record<string, string>[]) {
      expect(named(mode)).toEqual([
        'BASE_URL',
        'OPERATOR_PRIVATE_KEY',
        'FACILITATOR_PRIVATE_KEY',
        'SESSION_KEY_SEED',
        ...['MINTER', 'RECORDER', 'SETTLEMENT', 'RECORDS'].map((role) => `${role}_PRIVATE_KEY`),
        'OPERATOR_API_KEY',
        'STRIPE_SECRET_KEY',
        'RPC_URL_1002',
        'RPC_URL_84532',
        'PAY_TO',
      ]);
      for (const line of refusals(mode)) expect(line).toMatch(/^[A-Z0-9_]+ is not set: .{20,}$/);
    }
  });

  it('says of what is set that it is wrong, and not of what is not', () => {
    const [first] = refusals({ ...good(), BASE_URL: 'http://handshake.example' });
    expect(first).toMatch(/^BASE_URL is set wrongly: /);
    expect(refusals(without('BASE_URL'))[0]).toMatch(/^BASE_URL is not set: /);
  });

  it('has a key of its own for each role, in one of three forms', () => {
    for (const role of ['MINTER', 'RECORDER']) {
      const setting = `${role}_PRIVATE_KEY`;
      expect(named(without(setting))).toEqual([setting]);
      expect(named({ ...good(), [setting]: good().OPERATOR_PRIVATE_KEY! })).toEqual([]);
    }
    expect(named(without('SETTLEMENT_SIGNER'))).toEqual(['SETTLEMENT_PRIVATE_KEY']);
    expect(named(without('KEYSTORE_PASSWORD_FILE'))).toEqual(['SETTLEMENT_SIGNER']);
    const one = key();
    expect(named({ ...good(), OPERATOR_PRIVATE_KEY: one, MINTER_PRIVATE_KEY: one })).toEqual([
      'MINTER_PRIVATE_KEY',
    ]);
    expect(named({ ...good(), MINTER_SIGNER: 'keystore:/run/minter.json' })).toEqual(['MINTER_SIGNER']);
    for (const wrong of ['https://signer.example', 'keystore:', `ftp://signer.example/0x${'ab'.repeat(20)}`])
      expect(named({ ...without('MINTER_PRIVATE_KEY'), MINTER_SIGNER: wrong })).toEqual(['MINTER_SIGNER']);
    const plain = { RECORDS_SIGNER: `http://signer.example/0x${'ab'.repeat(20)}` };
    expect(named({ ...good(), ...plain })).toEqual(['RECORDS_SIGNER']);
    expect(named({ RECORDS_SIGNER: `http://127.0.0.1/0x${'ab'.repeat(20)}` })).toEqual(['RECORDS_SIGNER']);
    expect(named({ RECORDS_PRIVATE_KEY: key() })).toEqual(['RECORDS_PRIVATE_KEY']);
  });

  it('reaches a database and a queue on another machine over verified TLS alone', () => {
    const database = (rest: string) => named({ ...good(), DATABASE_URL: `postgres://u:p@${rest}` });
    expect(database('db.example/h?sslmode=verify-full&sslrootcert=/etc/ca.pem')).toEqual([]);
    for (const rest of ['db.example/h', 'db.example/h?sslmode=require', 'db.example/h?sslmode=no-verify'])
      expect(database(rest)).toEqual(['DATABASE_URL']);
    expect(database('127.0.0.1/h')).toEqual([]);
    expect(database('127.0.0.1/h?sslmode=verify-full&sslmode=disable')).toEqual([]);
    expect(database('db.example/h?sslmode=verify-full&sslmode=disable')).toEqual(['DATABASE_URL']);
    const replica = { DATABASE_READ_URL: 'postgres://u:p@replica.example/h' };
    expect(named({ ...good(), ...replica })).toEqual(['DATABASE_READ_URL']);
    expect(named({ ...good(), REDIS_URL: 'redis://redis.example' })).toEqual(['REDIS_URL']);
    expect(named({ ...good(), REDIS_URL: 'redis://localhost:6379' })).toEqual([]);
    expect(named({ ...good(), REDIS_URL: 'redis://?host=redis.example' })).toEqual(['REDIS_URL']);
    const nodes = ['localhost', 'two.example'].map((host) => `redis://${host}:6379`).join(',');
    expect(named({ ...good(), REDIS_URL: nodes })).toEqual(['REDIS_URL']);
    expect(named({ ...good(), REDIS_URL: nodes.replaceAll('redis:', 'rediss:') })).toEqual([]);
    expect(refusals({ DATABASE_URL: 'postgres://db.example/h', REDIS_URL: 'redis://redis.example' })).toEqual(
      [],
    );
  });

  it('judges a database by the host to which node-postgres connects', () => {
    for (const [rest, host] of [
      ['localhost/h?host=db.example', 'db.example'],
      ['127.0.0.1/h?host=localhost&host=db.example', 'db.example'],
      ['localhost/h?%68ost=db.example', 'db.example'],
      ['/h?host=db.example', 'db.example'],
      ['db.example/h?host=127.0.0.1', '127.0.0.1'],
      ['db.example/h?host=', 'db.example'],
      ['/h?host=/var/run/postgresql', '/var/run/postgresql'],
      ['%2Fvar%2Frun%2Fpostgresql/h', '/var/run/postgresql'],
    ] as const) {
      const connectionString = `postgres://u:p@${rest}`.replace('u:p@/', '/');
      expect(new pg.Client({ connectionString }).host).toBe(host);
      const lines = refusals({ ...good(), DATABASE_URL: connectionString });
      if (host !== 'db.example') expect(lines).toEqual([]);
      else expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL is .* what goes to db\.example /)]);
    }
    const unnamed = refusals({ ...good(), DATABASE_URL: 'postgres:///handshake' });
    expect(unnamed).toEqual([expect.stringContaining('names no host')]);
  });

  it.each([
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: `sk_test_${'x'.repeat(24)}` }],
    ['BASE_URL', { BASE_URL: 'http://handshake.example' }],
    ['BASE_URL', { BASE_URL: '' }],
    ['BASE_URL', { BASE_URL: '', HOST: '127.0.0.1' }],
    ['OPERATOR_API_KEY', { OPERATOR_API_KEY: '' }],
    ['RPC_URL_1002', { RPC_URL_1002: 'https://one.example' }],
    ['RPC_URL_1002', { RPC_URL_1002: 'https://one.example,https://one.example' }],
    ['RPC_URL_1002', { RPC_URL_1002: 'https://one.example/key-1,https://ONE.example:443/key-2' }],
    ['RPC_URL_1002', { RPC_URL_1002: 'https://one.example.,https://one.example?key=2' }],
    ['RPC_URL_1002', { RPC_URL_1002: 'http://localhost:8545,http://127.0.0.1:8545' }],
    ['RPC_URL_84532', { RPC_URL_84532: '' }],
    ['RPC_URL_84532', { RPC_URL_84532: 'http://one.example,https://two.example' }],
    ['WALLET_RPC_URL_1002', { WALLET_RPC_URL_1002: 'http://node.example' }],
    ['WALLET_RPC_URL_1002', { WALLET_RPC_URL_1002: 'https://localhost:8545' }],
    ['WALLET_RPC_URL_84532', { WALLET_RPC_URL_84532: 'https://me:secret@node.example' }],
    ['SOLANA_RPC_URL', { SOLANA_RPC_URL: 'http://solana.example,https://two.example' }],
    ['SOLANA_RPC_URL', { SOLANA_RPC_URL: 'https://solana.example' }],
    ['SOLANA_RPC_URL', { SOLANA_RPC_URL: 'https://solana.example/key-1,https://solana.example/key-2' }],
    ['FACILITATOR_URL', { FACILITATOR_URL: 'http://10.0.0.7:4022' }],
    ['STRIPE_API_BASE', { STRIPE_API_BASE: 'http://stripe.example' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'http://models.example/v1', OPENAI_MODELS: 'm' }],
    ['REGISTER_SOURCES', { REGISTER_SOURCES: 'sanctions/ofac=ofac-sdn+http://lists.example/sdn.xml' }],
    ['REGISTER_SOURCES', { REGISTER_SOURCES: 'known-scam/a=csv+http://127.0.0.1.evil.example/a.csv' }],
    ['STOLEN_LOOKUP_URL', { STOLEN_LOOKUP_URL: 'http://stolen.example/{serial}' }],
    ['RECALLED_LOOKUP_URL', { RECALLED_LOOKUP_URL: 'http://{kind}.recalled.example/{serial}' }],
  ])('refuses %s where it is %j, and nothing else', (setting, change) => {
    expect(named({ ...good(), ...(change as Record<string, string>) })).toEqual([setting]);
  });

  it('refuses to start without cards', () => {
    expect(named(without('STRIPE_SECRET_KEY', without('STRIPE_WEBHOOK_SECRETS')))).toEqual([
      'STRIPE_SECRET_KEY',
    ]);
  });

  it('takes plain http from this machine alone, by every way to write it', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.8.8.8', '[::ffff:127.0.0.1]', '0x7f.1'])
      expect(refusals({ ...good(), SOLANA_RPC_URL: `http://${host}:8899,https://two.example` })).toEqual([]);
    for (const host of ['localhost.example', '127.0.0.1.example', '0.0.0.0', '[::]', '128.0.0.1'])
      expect(named({ ...good(), SOLANA_RPC_URL: `http://${host}:8899,https://two.example` })).toEqual([
        'SOLANA_RPC_URL',
      ]);
  });
});

describe('a host that others reach', () => {
  it.each(['0.0.0.0', '::', '192.168.1.7', 'handshake.example'])(
    '%s needs a BASE_URL in every mode',
    (HOST) => {
      expect(named({ HOST })).toEqual(['BASE_URL']);
      expect(refusals({ HOST, BASE_URL: 'http://handshake.example' })).toEqual([]);
    },
  );

  it.each(['127.0.0.1', 'localhost', '::1'])('is not %s, which needs nothing', (HOST) => {
    expect(refusals({ HOST })).toEqual([]);
  });
});

describe('the secrets of a service on a chain that is not embedded', () => {
  const development = (change: Record<string, string>): Record<string, string> => ({
    RPC_URL_1002: 'http://node.example',
    OPERATOR_PRIVATE_KEY: key(),
    FACILITATOR_PRIVATE_KEY: key(),
    SESSION_KEY_SEED: key(),
    ...change,
  });
  const PRIVATE = [
    'OPERATOR_PRIVATE_KEY',
    'FACILITATOR_PRIVATE_KEY',
    'DEPLOYER_PRIVATE_KEY',
    'GUARDIAN_PRIVATE_KEY',
    'SESSION_KEY_SEED',
  ];

  it('are taken where they were drawn at random', () => {
    expect(refusals(development({}))).toEqual([]);
  });

  it.each(
    PRIVATE.flatMap((setting) =>
      [ANVIL_KEY, `0x${'0'.repeat(64)}`, `0x${'11'.repeat(32)}`, `0x${'1'.padStart(64, '0')}`].map(
        (value) => [setting, value] as const,
      ),
    ),
  )('are refused by name where %s is %s, in development and in production', (setting, value) => {
    expect(named(development({ [setting]: value }))).toEqual([setting]);
    expect(named({ ...good(), [setting]: value })).toEqual([setting]);
  });

  it('are judged in every version of the seed, also in one that is held for session keys alone', () => {
    for (const mark of ['0:', '0s:']) {
      const seed = (former: string) => development({ SESSION_KEY_SEED: `1:${key()}, ${mark}${former}` });
      expect(refusals(seed(key()))).toEqual([]);
      expect(named(seed(ANVIL_KEY))).toEqual(['SESSION_KEY_SEED']);
      expect(named(seed(`0x${'11'.repeat(32)}`))).toEqual(['SESSION_KEY_SEED']);
    }
  });

  it('are refused where an operator key can be guessed', () => {
    expect(named(development({ OPERATOR_API_KEY: 'a'.repeat(24) }))).toEqual(['OPERATOR_API_KEY']);
    expect(named({ ...good(), OPERATOR_API_KEY: 'a'.repeat(24) })).toEqual(['OPERATOR_API_KEY']);
  });

  it('are refused where one stands for two, however it is written, and the message names both', () => {
    const one = key();
    for (const [i, first] of PRIVATE.entries()) {
      for (const second of PRIVATE.slice(i + 1)) {
        const lines = refusals(development({ [first]: one, [second]: `0x${one.slice(2).toUpperCase()}` }));
        expect(lines).toEqual([
          `${second} is set wrongly: it holds the same secret as ${first}: give each role one of its own`,
        ]);
      }
    }
    expect(
      named(development({ OPERATOR_PRIVATE_KEY: one, SESSION_KEY_SEED: `${one}${key().slice(2)}` })),
    ).toEqual(['SESSION_KEY_SEED']);
    expect(named(development({ OPERATOR_PRIVATE_KEY: one, OPERATOR_API_KEY: `op_${one.slice(2)}` }))).toEqual(
      ['OPERATOR_API_KEY'],
    );
  });

  it('may be anything on embedded chains, where nothing is worth taking', () => {
    expect(refusals({ OPERATOR_PRIVATE_KEY: ANVIL_KEY, FACILITATOR_PRIVATE_KEY: ANVIL_KEY })).toEqual([]);
  });
});

it('every rule says what would be right, and names a setting that is listed', () => {
  expect(RULES.length).toBeGreaterThan(20);
  for (const { rule, setting } of RULES) {
    expect(rule).toMatch(/^[a-z-]+$/);
    expect(setting).toMatch(/^[A-Z0-9_]+$/);
  }
});
