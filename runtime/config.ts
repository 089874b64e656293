import { resolve } from 'node:path';
import { isEvmAddress } from '../agents/ids.ts';
import { PROBES, PROBES_BOUNDS } from '../agents/market/probing.ts';
import { type ReasoningSettings, readReasoning } from './reasoning/settings.ts';
import { type RegisterSettings, readRegisterSettings } from './registers/settings.ts';

/** Everything that can be set, read once from the environment. What is unset is embedded or made into `dataDir`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  /** Per chain: one RPC URL, or two, the second being the independent reader's. Empty: embedded. */
  readonly rpcUrls: Readonly<Record<1002 | 84532, readonly string[]>>;
  readonly solanaRpcUrl: string | null;
  readonly facilitatorUrl: string | null;
  readonly payTo: `0x${string}` | null;
  /** Factories through which the facilitator deploys a payer's wallet that is not deployed yet (ERC-6492). */
  readonly walletFactories: readonly `0x${string}`[];
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecrets: readonly string[];
    readonly apiBase: string | null;
  } | null;
  readonly sessionKeySeed: `0x${string}` | null;
  readonly operatorPrivateKey: `0x${string}` | null;
  readonly facilitatorPrivateKey: `0x${string}` | null;
  /** Signs what the `deploy` commands send; the operator's key does where it is not set. */
  readonly deployerPrivateKey: `0x${string}` | null;
  readonly operatorApiKey: string | null;
  /** Language models that join the panels of superconsensus and read what the grammar of mandates asks about. */
  readonly reasoning: ReasoningSettings | null;
  /** Lists that are fetched again and again, and registers of goods that others keep. */
  readonly registers: RegisterSettings;
  readonly pricing: 'test' | 'live';
  readonly reservedTlds: readonly string[];
  /** The ERC-721 contracts on chain 1002 whose tokens stand for the names under a top-level domain, lower case. */
  readonly nameTokens: ReadonlyMap<string, `0x${string}`>;
  /** A bid in the last stretch of an auction of this length moves its end by as much. */
  readonly auctionExtensionSeconds: number;
  readonly rateLimitReads: number;
  readonly rateLimitWrites: number;
  /** How many orders one owner may place on one lot an hour, through however many agents. */
  readonly ordersPerLot: number;
  /** Streams of events at once: of one address, and of one process in all. */
  readonly eventStreams: { readonly perAddress: number; readonly inAll: number };
  /** Milliseconds after each attempt of a webhook that was refused, before the next; after the last of them none. */
  readonly webhookRetriesMs: readonly number[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly decisionSeconds: number;
  /** How long an agent waits after one look at the market before the next; 0: agents do nothing by themselves. */
  readonly watchSeconds: number;
  readonly anchorSeconds: number;
  /** How long what actors served is kept, to be gone through again; 0: for ever. */
  readonly historyDays: number;
  /** Blocks that must lie on a settlement before its public record is written. */
  readonly confirmations: number;
  /** The most that any transaction of the service offers, wei per gas. */
  readonly feeCap: bigint;
  /** How fast kinds of effects may go, all processes together. Others go as they come. */
  readonly effectRates: ReadonlyMap<string, { readonly perSecond: number; readonly burst: number }>;
  /** Where traces go, over OTLP/HTTP. Null: nothing is traced. */
  readonly tracesUrl: string | null;
  /** Embedded chains only: the named point at which the process kills itself, to prove what a crash leaves. */
  readonly crashAt: string | null;
}

/** A setting that is wrong: names it and says what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Env = Readonly<Record<string, string | undefined>>;

function setting(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

function wrong(name: string, remedy: string): ConfigError {
  return new ConfigError(`${name} is set wrongly: ${remedy}`);
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = setting(env, name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < min || value > max) {
    throw wrong(name, `it must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function choice<T extends string>(env: Env, name: string, options: readonly T[], fallback: T): T {
  const text = setting(env, name);
  if (text === null) return fallback;
  if (!(options as readonly string[]).includes(text))
    throw wrong(name, `it must be one of ${options.join(', ')}`);
  return text as T;
}

function url(env: Env, name: string, protocols: readonly string[]): string | null {
  const text = setting(env, name);
  return text === null ? null : checkedUrl(name, text, protocols);
}

function checkedUrl(name: string, text: string, protocols: readonly string[]): string {
  const ok = URL.canParse(text) && protocols.includes(new URL(text).protocol);
  if (!ok)
    throw wrong(name, `it must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  return text;
}

function rpcUrls(env: Env, name: string): readonly string[] {
  const text = setting(env, name);
  if (text === null) return [];
  const urls = text.split(',').map((u) => checkedUrl(name, u.trim(), ['http:', 'https:']));
  if (urls.length > 2) throw wrong(name, 'it takes one URL, or two separated by a comma');
  return urls;
}

function privateKey(env: Env, name: string): `0x${string}` | null {
  const text = setting(env, name);
  if (text === null) return null;
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw wrong(name, 'it must be 0x and 64 hex digits');
  return text as `0x${string}`;
}

function payTo(env: Env): `0x${string}` | null {
  const text = setting(env, 'PAY_TO');
  if (text !== null && !isEvmAddress(text)) throw wrong('PAY_TO', 'it must be 0x and 40 hex digits');
  return text as `0x${string}` | null;
}

/** Of Coinbase's Smart Wallet, 1.0 and 1.1: what deploys others' code at our cost must be known. */
const WALLET_FACTORIES =
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a,0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842';

function walletFactories(env: Env): readonly `0x${string}`[] {
  const text = setting(env, 'WALLET_FACTORIES') ?? WALLET_FACTORIES;
  if (text === 'none') return [];
  const factories = text.split(',').map((part) => part.trim());
  if (!factories.every(isEvmAddress))
    throw wrong('WALLET_FACTORIES', 'it must be addresses separated by commas, or none');
  return factories;
}

function seed(env: Env): `0x${string}` | null {
  const text = setting(env, 'SESSION_KEY_SEED');
  if (text === null) return null;
  if (!/^0x(?:[0-9a-fA-F]{2}){32,64}$/.test(text))
    throw wrong('SESSION_KEY_SEED', 'it must be 0x and 32 to 64 bytes of hex');
  return text as `0x${string}`;
}

function stripe(env: Env): Config['stripe'] {
  const secretKey = setting(env, 'STRIPE_SECRET_KEY');
  const secrets = setting(env, 'STRIPE_WEBHOOK_SECRETS');
  const apiBase = url(env, 'STRIPE_API_BASE', ['http:', 'https:']);
  if (secretKey === null) {
    if (secrets !== null || apiBase !== null) {
      throw wrong('STRIPE_SECRET_KEY', 'it is needed when STRIPE_WEBHOOK_SECRETS or STRIPE_API_BASE is set');
    }
    return null;
  }
  if (!/^sk_(?:test|live)_/.test(secretKey))
    throw wrong('STRIPE_SECRET_KEY', 'it must start with sk_test_ or sk_live_');
  if (secrets === null) throw wrong('STRIPE_WEBHOOK_SECRETS', 'it is needed when STRIPE_SECRET_KEY is set');
  const webhookSecrets = secrets.split(',').map((s) => s.trim());
  if (webhookSecrets.length > 2 || webhookSecrets.some((s) => !s.startsWith('whsec_'))) {
    throw wrong(
      'STRIPE_WEBHOOK_SECRETS',
      'it takes one or two secrets, separated by a comma, each starting with whsec_',
    );
  }
  return { secretKey, webhookSecrets, apiBase };
}

/** The six top-level names of ruling houses that provider B prices apart, unless set otherwise. */
const DEFAULT_RESERVED_TLDS = ['windsor', 'orange-nassau', 'bernadotte', 'grimaldi', 'al-saud', 'chakri'];

function reservedTlds(env: Env): readonly string[] {
  const text = setting(env, 'RESERVED_TLDS');
  if (text === null) return DEFAULT_RESERVED_TLDS;
  const names = text.split(',').map((n) => n.trim().toLowerCase());
  if (names.length !== 6 || new Set(names).size !== 6 || names.some((n) => !/^[a-z0-9-]{1,63}$/.test(n))) {
    throw wrong('RESERVED_TLDS', 'it must be six different top-level names, separated by commas');
  }
  return names;
}

function nameTokens(env: Env): Config['nameTokens'] {
  const parts = (setting(env, 'NAME_TOKENS') ?? '').split(',').filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const [, tld, contract] = /^([a-z0-9-]+)=(0x[0-9a-fA-F]{40})$/.exec(part.trim()) ?? [];
      if (tld === undefined || contract === undefined)
        throw wrong(
          'NAME_TOKENS',
          'it must be such as crypto=0x…,x=0x…, a contract for each top-level domain',
        );
      return [tld, contract.toLowerCase() as `0x${string}`] as const;
    }),
  );
}

function effectRates(env: Env): Config['effectRates'] {
  const rates = (setting(env, 'EFFECT_RATES') ?? '').split(',').filter((part) => part.trim() !== '');
  return new Map(
    rates.map((part) => {
      const [, kind, per, most] = /^([a-z-]+)=(\d+(?:\.\d+)?)(?::(\d+))?$/.exec(part.trim()) ?? [];
      const perSecond = Number(per);
      const burst = most === undefined ? Math.ceil(perSecond) : Number(most);
      if (kind === undefined || !(perSecond > 0) || burst < 1)
        throw wrong('EFFECT_RATES', 'it must be such as determine=20,settle=0.5:3, a second and at once');
      return [kind, { perSecond, burst }] as const;
    }),
  );
}

/** As Standard Webhooks advises: over about three days. */
const WEBHOOK_RETRIES = '5,300,1800,7200,18000,36000,50400,72000,86400';

function webhookRetries(env: Env): readonly number[] {
  const parts = (setting(env, 'WEBHOOK_RETRY_SECONDS') ?? WEBHOOK_RETRIES).split(',').map((p) => p.trim());
  if (parts.length > 20 || parts.some((p) => !/^[0-9]{1,7}$/.test(p))) {
    throw wrong(
      'WEBHOOK_RETRY_SECONDS',
      'it must be up to twenty whole numbers of seconds, separated by commas',
    );
  }
  return parts.map((p) => Number(p) * 1000);
}

/** @throws ConfigError naming the first setting that is wrong */
export function readConfig(env: Env): Config {
  const host = setting(env, 'HOST') ?? '127.0.0.1';
  const port = integer(env, 'PORT', 4021, 0, 65535);
  const operatorApiKey = setting(env, 'OPERATOR_API_KEY');
  if (operatorApiKey !== null && operatorApiKey.length < 24) {
    throw wrong('OPERATOR_API_KEY', 'it must be at least 24 characters');
  }
  const config: Config = {
    host,
    port,
    baseUrl: (
      url(env, 'BASE_URL', ['http:', 'https:']) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    ).replace(/\/+$/, ''),
    dataDir: resolve(setting(env, 'DATA_DIR') ?? '.data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    rpcUrls: { 1002: rpcUrls(env, 'RPC_URL_1002'), 84532: rpcUrls(env, 'RPC_URL_84532') },
    solanaRpcUrl: url(env, 'SOLANA_RPC_URL', ['http:', 'https:']),
    facilitatorUrl: url(env, 'FACILITATOR_URL', ['http:', 'https:']),
    payTo: payTo(env),
    walletFactories: walletFactories(env),
    stripe: stripe(env),
    sessionKeySeed: seed(env),
    operatorPrivateKey: privateKey(env, 'OPERATOR_PRIVATE_KEY'),
    facilitatorPrivateKey: privateKey(env, 'FACILITATOR_PRIVATE_KEY'),
    deployerPrivateKey: privateKey(env, 'DEPLOYER_PRIVATE_KEY'),
    operatorApiKey,
    reasoning: readReasoning(
      {
        apiKey: setting(env, 'OPENAI_API_KEY'),
        baseUrl: url(env, 'OPENAI_BASE_URL', ['http:', 'https:']),
        models: setting(env, 'OPENAI_MODELS'),
        timeoutSeconds: integer(env, 'OPENAI_TIMEOUT_SECONDS', 8, 1, 20),
      },
      wrong,
    ),
    registers: readRegisterSettings(
      {
        sources: setting(env, 'REGISTER_SOURCES'),
        refreshSeconds: integer(env, 'REGISTER_REFRESH_SECONDS', 21_600, 60, 604_800),
        stolenUrl: setting(env, 'STOLEN_LOOKUP_URL'),
        recalledUrl: setting(env, 'RECALLED_LOOKUP_URL'),
        lookupsPerMinute: integer(env, 'LOOKUPS_PER_MINUTE', 60, 1, 100_000),
      },
      wrong,
    ),
    pricing: choice(env, 'PRICING', ['test', 'live'], 'test'),
    reservedTlds: reservedTlds(env),
    nameTokens: nameTokens(env),
    auctionExtensionSeconds: integer(env, 'AUCTION_EXTENSION_SECONDS', 300, 1, 3_600),
    rateLimitReads: integer(env, 'RATE_LIMIT_READS', 600, 1, 1_000_000_000),
    rateLimitWrites: integer(env, 'RATE_LIMIT_WRITES', 60, 1, 1_000_000_000),
    ordersPerLot: integer(env, 'ORDERS_PER_LOT', PROBES.most, PROBES_BOUNDS.min, PROBES_BOUNDS.max),
    eventStreams: {
      perAddress: integer(env, 'EVENT_STREAMS_PER_ADDRESS', 20, 1, 1_000_000),
      inAll: integer(env, 'EVENT_STREAMS', 20_000, 1, 1_000_000),
    },
    webhookRetriesMs: webhookRetries(env),
    logLevel: choice(
      env,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'warn',
    ),
    decisionSeconds: integer(env, 'DECISION_SECONDS', 86_400, 1, 2_592_000),
    watchSeconds: integer(env, 'WATCH_SECONDS', 60, 0, 86_400),
    anchorSeconds: integer(env, 'ANCHOR_SECONDS', 2, 1, 86_400),
    historyDays: integer(env, 'HISTORY_DAYS', 90, 0, 36_500),
    confirmations: integer(
      env,
      'CONFIRMATIONS_1002',
      setting(env, 'RPC_URL_1002') === null ? 0 : 12,
      0,
      10_000,
    ),
    feeCap: 1_000_000_000n * BigInt(integer(env, 'MAX_FEE_GWEI', 500, 1, 1_000_000)),
    effectRates: effectRates(env),
    tracesUrl: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    crashAt: setting(env, 'CRASH_AT'),
  };
  if (config.crashAt !== null && !embedded(config)) {
    throw wrong(
      'CRASH_AT',
      'it is for embedded chains only: unset it, or unset RPC_URL_1002 and RPC_URL_84532',
    );
  }
  for (const key of ['operatorPrivateKey', 'facilitatorPrivateKey', 'sessionKeySeed'] as const) {
    if (!embedded(config) && config[key] === null) {
      const name = {
        operatorPrivateKey: 'OPERATOR_PRIVATE_KEY',
        facilitatorPrivateKey: 'FACILITATOR_PRIVATE_KEY',
        sessionKeySeed: 'SESSION_KEY_SEED',
      }[key];
      throw wrong(name, 'it is needed on chains that are not embedded');
    }
  }
  return config;
}

/** True when both chains are the service's own: only then may it make keys, fund wallets and crash on purpose. */
export function embedded(config: Config): boolean {
  return config.rpcUrls[1002].length === 0 && config.rpcUrls[84532].length === 0;
}
