import { resolve } from 'node:path';
import { REQUIRED_CHECKS, type RequiredCheck } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import type { Prices } from '../../agents/market/pricing/prices.ts';
import { PROBES, PROBES_BOUNDS } from '../../agents/market/probing.ts';
import { parseUsd } from '../../agents/money.ts';
import type { KnownWallets } from '../../chain/facilitator/known-wallets.ts';
import { parseSeeds } from '../../chain/keys/seeds.ts';
import { CLUSTERS } from '../../chain/rpc/solana/reader.ts';
import type { SeatBudget } from '../determinations/models/seat-budget.ts';
import { type ReasoningSettings, readReasoning } from '../determinations/models/settings.ts';
import { redisNodes } from '../durable/queue/redis-nodes.ts';
import { GAS_SETTINGS, type GasSettings } from '../payments/gas-guard.ts';
import { type RegisterSettings, readRegisterSettings } from '../registers/settings.ts';
import { httpAddress } from './hosts.ts';
import { type RoleKeys, readRoleKeys } from './role-keys.ts';
import { brokenRules, type Problem, weakSigners } from './rules.ts';
import { TOKEN_CHARACTERS } from './token-strength.ts';
import { readTrustedProxies, type TrustedProxies } from './trust-proxy.ts';

/** All settings, read once from the environment. What is not set is embedded, or generated into `dataDir`. */
export interface Config {
  /**
   * Production refuses settings that are only good for trying things out. `test`, which test runners set, works like
   * development.
   */
  readonly mode: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  /** The proxies whose header for the client's address is trusted; null when there are none. */
  readonly trustProxy: TrustedProxies | null;
  /** In milliseconds: for a whole request, for its headers, and for an idle connection. */
  readonly timeouts: { readonly requestMs: number; readonly headersMs: number; readonly idleMs: number };
  /** How long a process that was told to end goes on listening, so that balancers see it leave. */
  readonly drainSeconds: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** A replica that serves free lists while its data is no older than that. */
  readonly reads: { readonly url: string; readonly maxLagMs: number } | null;
  readonly redisUrl: string | null;
  /** One or two RPC URLs for each chain; the second is for the independent reader. Empty for an embedded chain. */
  readonly rpcUrls: Readonly<Record<1002 | 84532, readonly string[]>>;
  /** One or two RPC URLs of every other chain that wallet determinations ask, by chain id. */
  readonly askedRpcUrls: ReadonlyMap<number, readonly string[]>;
  /** A block explorer of a chain, by chain id. */
  readonly explorerUrls: ReadonlyMap<number, string>;
  /** How many seconds old the head of a chain may be, by chain id; only where it is set. */
  readonly headAge: ReadonlyMap<number, number>;
  /** Chains on which the second reader's word on accounts is proven by its node. */
  readonly stateProofs: ReadonlySet<number>;
  /** What must be looked at on a chain before an address may be CLEAN, by chain id; only where it is set. */
  readonly requiredChecks: ReadonlyMap<number, readonly RequiredCheck[]>;
  /** None, one, or two RPC URLs of Solana; the second is for the independent reader. */
  readonly solanaRpcUrls: readonly string[];
  /** Of the cluster for which those nodes must stand. */
  readonly solanaGenesis: string;
  readonly facilitatorUrl: string | null;
  readonly payTo: `0x${string}` | null;
  /** RPC URLs that wallets may add a chain with, shown to everybody. Null tells them none. */
  readonly walletRpcUrls: Readonly<Record<1002 | 84532, string | null>>;
  /** Factories through which the facilitator deploys a payer's wallet that is not deployed yet (ERC-6492). */
  readonly walletFactories: readonly `0x${string}`[];
  /** Codes of payers' wallets that the operator trusts, in addition to the built-in ones. */
  readonly knownWallets: KnownWallets;
  readonly gas: GasSettings;
  readonly stripe: {
    readonly secretKey: string;
    readonly webhookSecrets: readonly string[];
    readonly apiBase: string | null;
  } | null;
  /** One seed, or several versions of it: `parseSeeds`. */
  readonly sessionKeySeed: string | null;
  /** The keys of the service by what they are for; null where none is set. */
  readonly keys: RoleKeys;
  /** Holds the password of every keystore that `keys` names. */
  readonly keystorePasswordFile: string | null;
  /** Signs what the `deploy` commands send; the operator's key signs when it is not set. */
  readonly deployerPrivateKey: `0x${string}` | null;
  /** Signs what the `guardian` commands send; the operator's key signs when it is not set. */
  readonly guardianPrivateKey: `0x${string}` | null;
  readonly operatorApiKey: string | null;
  /**
   * Language models that join the panels of superconsensus, and propose a wording where the mandate grammar has
   * questions.
   */
  readonly reasoning: ReasoningSettings | null;
  /** How often a day a language model may be asked about mandates that nobody has paid for. */
  readonly modelBudget: {
    readonly perWalletDay: number;
    readonly perAddressDay: number;
    readonly perDay: number;
  };
  /** How often a day the language models on panels may be asked. */
  readonly seatBudget: SeatBudget;
  /** Lists that are fetched regularly, and registers of goods that others keep. */
  readonly registers: RegisterSettings;
  readonly pricing: 'test' | 'live';
  /** The prices of `pricing` with the operator's changes; every charge is calculated from these. */
  readonly prices: Prices;
  readonly reservedTlds: readonly string[];
  /** The ERC-721 contracts on chain 1002 whose tokens stand for the names under a top-level domain, lower case. */
  readonly nameTokens: ReadonlyMap<string, `0x${string}`>;
  /** A bid in the last seconds of an auction, this many, extends it by the same time. */
  readonly auctionExtensionSeconds: number;
  readonly rateLimitReads: number;
  readonly rateLimitWrites: number;
  /** How many orders one owner may place on one lot an hour, through all agents together. */
  readonly ordersPerLot: number;
  /** How many event streams may be open: for one address, and in one process. */
  readonly eventStreams: { readonly perAddress: number; readonly inAll: number };
  /**
   * Milliseconds to wait after each failed attempt of a webhook before the next. After the last wait and attempt it is
   * given up.
   */
  readonly webhookRetriesMs: readonly number[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** How long an owner has to decide on a deal. */
  readonly decisionSeconds: number;
  /** The same for a buyer's owner who is asked only about what was known when the order was placed. */
  readonly approvalSeconds: number;
  /** How long an agent waits between two looks at the whole market; 0 means that agents do nothing by themselves. */
  readonly watchSeconds: number;
  readonly anchorSeconds: number;
  /** How many days an actor's served events are kept for replay; 0 keeps them for ever. */
  readonly historyDays: number;
  /** How many days a record stands among the present ones before it moves to the archive; 0: for ever. */
  readonly recordDays: number;
  /** The block from which the transfers of a chain are kept, by chain id; only where it is set. */
  readonly transfersSince: ReadonlyMap<number, number>;
  /** How many days the transfers of the chains of the service are kept; 0 keeps them for ever. */
  readonly transferDays: number;
  /** How many blocks must confirm a settlement before its public record is written. */
  readonly confirmations: number;
  readonly relay: RelaySettings;
  /** How many certificates of an owner a day are issued at the operator's cost. */
  readonly certificatesADay: number;
  /** How many pledges a wallet records a day. */
  readonly pledgesADay: number;
  /** The highest fee that any transaction of the service offers, in wei per gas. */
  readonly feeCap: bigint;
  /** Rate limits by kind of effect, for all processes together. Other kinds have no limit. */
  readonly effectRates: ReadonlyMap<string, { readonly perSecond: number; readonly burst: number }>;
  /** Where traces are sent, over OTLP/HTTP. Null turns tracing off. */
  readonly tracesUrl: string | null;
  /** On embedded chains only: the named point at which the process kills itself, for tests of recovery. */
  readonly crashAt: string | null;
}

/** What owners may cost the key that relays their acts. */
export interface RelaySettings {
  /** In gas: what plain keys sign for one agent, or of one certificate, at once; as much comes back in a day. */
  readonly agentGas: bigint;
  /**
   * Of contract wallets, beyond the gas that the simulation showed.
   * In gas: the most at once, which comes back within a day, for one wallet, for all with the same code, and for all
   * together.
   */
  readonly walletGas: bigint;
  readonly codeGas: bigint;
  readonly unprovenGas: bigint;
  /**
   * The share of the key's balance that relays for contract wallets may spend in a day, including the gas that the
   * simulation showed.
   */
  readonly balancePercent: number;
}

/** Names a setting that is wrong, and says what would be right. */
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

/** One address, or those of some nodes of a cluster. */
function redisUrl(env: Env): string | null {
  const text = setting(env, 'REDIS_URL');
  if (text === null) return null;
  const nodes = redisNodes(text).map((node) => checkedUrl('REDIS_URL', node, ['redis:', 'rediss:']));
  if (new Set(nodes.map((node) => new URL(node).protocol)).size > 1)
    throw wrong('REDIS_URL', 'all nodes of a cluster are reached over TLS, or none');
  return nodes.join(',');
}

function rpcUrls(env: Env, name: string): readonly string[] {
  const text = setting(env, name);
  if (text === null) return [];
  const urls = text.split(',').map((u) => checkedUrl(name, u.trim(), ['http:', 'https:']));
  if (urls.length > 2) throw wrong(name, 'it takes one URL, or two separated by a comma');
  return urls;
}

function solanaGenesis(env: Env): string {
  const text = setting(env, 'SOLANA_CLUSTER') ?? 'mainnet-beta';
  const known = Object.entries(CLUSTERS).find(([name]) => name === text);
  if (known !== undefined) return known[1];
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text))
    throw wrong('SOLANA_CLUSTER', `it must be ${Object.keys(CLUSTERS).join(', ')}, or a genesis hash`);
  return text;
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

/**
 * Coinbase's Smart Wallet, 1.0 and 1.1. Factories must be known, because they deploy others' code at this service's
 * cost.
 */
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

/**
 * Parses entries such as `0x…=150000,0x…=slot0,0x…=erc1967`: the hash of a runtime code, and what is known about it.
 */
function knownWallets(env: Env): KnownWallets {
  const parts = (setting(env, 'KNOWN_WALLETS') ?? '').split(',').filter((part) => part.trim() !== '');
  const codes = new Map<`0x${string}`, bigint>();
  const proxies = new Map<`0x${string}`, 'slot0' | 'erc1967'>();
  for (const part of parts) {
    const [, hash, meaning = ''] = /^(0x[0-9a-f]{64})=(slot0|erc1967|[0-9]{5,7})$/.exec(part.trim()) ?? [];
    if (hash === undefined) {
      throw wrong(
        'KNOWN_WALLETS',
        'it must be such as 0x…=150000 (a code hash and its gas) or 0x…=erc1967 or 0x…=slot0 (a proxy), separated by commas',
      );
    }
    if (meaning === 'slot0' || meaning === 'erc1967') proxies.set(hash as `0x${string}`, meaning);
    else codes.set(hash as `0x${string}`, BigInt(meaning));
  }
  return { codes, proxies };
}

function gasSettings(env: Env): GasSettings {
  const { unprovenGas, codeGas, knownWalletGas, unprovenInFlight } = GAS_SETTINGS;
  return {
    ...GAS_SETTINGS,
    unprovenGas: integer(env, 'GAS_BUDGET_UNPROVEN', unprovenGas, 0, 1_000_000_000),
    codeGas: integer(env, 'GAS_BUDGET_CODE', codeGas, 0, 1_000_000_000),
    knownWalletGas: integer(env, 'GAS_BUDGET_KNOWN_WALLET', knownWalletGas, 0, 1_000_000_000),
    unprovenInFlight: integer(env, 'UNPROVEN_PAYMENTS', unprovenInFlight, 1, 10_000),
  };
}

function seed(env: Env): string | null {
  const text = setting(env, 'SESSION_KEY_SEED');
  if (text === null) return null;
  if (parseSeeds(text) === null)
    throw wrong(
      'SESSION_KEY_SEED',
      'it must be 0x and 32 to 64 bytes of hex, or versions of it such as 1:0x…,0:0x…',
    );
  return text;
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

/** Reads every setting that is named by a prefix and a chain id, and is not empty. */
function byChain<T>(env: Env, prefix: string, read: (name: string) => T): ReadonlyMap<number, T> {
  const named = Object.keys(env).flatMap((name) => {
    const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (!/^[1-9][0-9]{0,15}$/.test(id) || setting(env, name) === null) return [];
    return [[Number(id), read(name)] as const];
  });
  return new Map(named.sort(([a], [b]) => a - b));
}

/** The chains on which nothing of this service stands. */
function askedRpcUrls(env: Env): Config['askedRpcUrls'] {
  const all = byChain(env, 'RPC_URL_', (name) => rpcUrls(env, name));
  return new Map([...all].filter(([id]) => id !== 1002 && id !== 84532));
}

function stateProofs(env: Env): Config['stateProofs'] {
  const all = byChain(env, 'STATE_PROOFS_', (name) => choice(env, name, ['on', 'off'], 'off'));
  return new Set([...all].filter(([, setting]) => setting === 'on').map(([chainId]) => chainId));
}

function requiredChecks(env: Env): Config['requiredChecks'] {
  return byChain(env, 'REQUIRED_CHECKS_', (name) => {
    const text = setting(env, name)!;
    const names = text === 'none' ? [] : text.split(',').map((part) => part.trim());
    const known = names.filter((n): n is RequiredCheck => (REQUIRED_CHECKS as readonly string[]).includes(n));
    if (known.length < names.length)
      throw wrong(name, `it must be none, or some of ${REQUIRED_CHECKS.join(', ')}, separated by commas`);
    return known;
  });
}

function reads(env: Env): Config['reads'] {
  const replica = url(env, 'DATABASE_READ_URL', ['postgres:', 'postgresql:']);
  const seconds = integer(env, 'DATABASE_READ_LAG_SECONDS', 5, 1, 3_600);
  return replica === null ? null : { url: replica, maxLagMs: 1_000 * seconds };
}

function trustProxy(env: Env): Config['trustProxy'] {
  const text = setting(env, 'TRUST_PROXY');
  if (text === null) return null;
  const read = readTrustedProxies(text);
  if ('remedy' in read) throw wrong('TRUST_PROXY', read.remedy);
  return read.trust;
}

/** The six top-level names of ruling houses, which provider B prices separately; used unless set otherwise. */
const DEFAULT_RESERVED_TLDS = ['windsor', 'orange-nassau', 'bernadotte', 'grimaldi', 'al-saud', 'chakri'];

function prices(env: Env): Pick<Config, 'pricing' | 'prices'> {
  const pricing = choice(env, 'PRICING', ['test', 'live'], 'test');
  const fee = setting(env, 'LISTING_FEE_USD');
  if (fee !== null && !/^(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,2})?$/.test(fee))
    throw wrong('LISTING_FEE_USD', 'it must be dollars and at most two decimals, such as 1.50, below 10000');
  return {
    pricing,
    prices: { setting: pricing, standardListing: fee === null ? null : parseUsd(fee, 'LISTING_FEE_USD', 2) },
  };
}

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

/** The schedule that Standard Webhooks recommends, over about three days. */
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

/** @throws ConfigError that names the first setting that cannot be read, or else every setting that breaks a rule */
export function readConfig(env: Env): Config {
  const host = setting(env, 'HOST') ?? '127.0.0.1';
  const port = integer(env, 'PORT', 4021, 0, 65535);
  const operatorApiKey = setting(env, 'OPERATOR_API_KEY');
  if (operatorApiKey !== null && operatorApiKey.length < TOKEN_CHARACTERS) {
    throw wrong('OPERATOR_API_KEY', `it must be at least ${TOKEN_CHARACTERS} characters`);
  }
  const givenBaseUrl = url(env, 'BASE_URL', ['http:', 'https:']);
  const config: Config = {
    mode: choice(env, 'MODE', ['development', 'test', 'production'], 'development'),
    host,
    port,
    baseUrl: (givenBaseUrl ?? httpAddress(host, port)).replace(/(?<!\/)\/+$/, ''),
    trustProxy: trustProxy(env),
    timeouts: {
      requestMs: 1000 * integer(env, 'REQUEST_TIMEOUT_SECONDS', 30, 1, 600),
      headersMs: 1000 * integer(env, 'HEADERS_TIMEOUT_SECONDS', 10, 1, 600),
      idleMs: 1000 * integer(env, 'IDLE_TIMEOUT_SECONDS', 75, 35, 3_600),
    },
    drainSeconds: integer(env, 'DRAIN_SECONDS', 0, 0, 300),
    dataDir: resolve(setting(env, 'DATA_DIR') ?? '.data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    reads: reads(env),
    redisUrl: redisUrl(env),
    rpcUrls: { 1002: rpcUrls(env, 'RPC_URL_1002'), 84532: rpcUrls(env, 'RPC_URL_84532') },
    askedRpcUrls: askedRpcUrls(env),
    explorerUrls: byChain(env, 'EXPLORER_URL_', (name) => url(env, name, ['http:', 'https:'])!),
    stateProofs: stateProofs(env),
    headAge: byChain(env, 'HEAD_AGE_', (name) => integer(env, name, 0, 1, 31_536_000)),
    requiredChecks: requiredChecks(env),
    solanaRpcUrls: rpcUrls(env, 'SOLANA_RPC_URL'),
    solanaGenesis: solanaGenesis(env),
    facilitatorUrl: url(env, 'FACILITATOR_URL', ['http:', 'https:']),
    payTo: payTo(env),
    walletRpcUrls: {
      1002: url(env, 'WALLET_RPC_URL_1002', ['http:', 'https:']),
      84532: url(env, 'WALLET_RPC_URL_84532', ['http:', 'https:']),
    },
    walletFactories: walletFactories(env),
    knownWallets: knownWallets(env),
    gas: gasSettings(env),
    stripe: stripe(env),
    sessionKeySeed: seed(env),
    keys: readRoleKeys((name) => setting(env, name), wrong),
    keystorePasswordFile: setting(env, 'KEYSTORE_PASSWORD_FILE'),
    deployerPrivateKey: privateKey(env, 'DEPLOYER_PRIVATE_KEY'),
    guardianPrivateKey: privateKey(env, 'GUARDIAN_PRIVATE_KEY'),
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
    modelBudget: {
      perWalletDay: integer(env, 'MODEL_BUDGET_PER_WALLET_DAY', 10, 0, 1_000_000),
      perAddressDay: integer(env, 'MODEL_BUDGET_PER_ADDRESS_DAY', 30, 0, 1_000_000),
      perDay: integer(env, 'MODEL_BUDGET_DAY', 1_000, 0, 1_000_000_000),
    },
    seatBudget: {
      perPayerDay: integer(env, 'MODEL_SEATS_PER_PAYER_DAY', 200, 0, 1_000_000),
      perAgentDay: integer(env, 'MODEL_SEATS_PER_AGENT_DAY', 500, 0, 1_000_000),
      perDay: integer(env, 'MODEL_SEATS_DAY', 5_000, 0, 1_000_000_000),
    },
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
    ...prices(env),
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
    approvalSeconds: integer(env, 'APPROVAL_SECONDS', 3_600, 1, 2_592_000),
    watchSeconds: integer(env, 'WATCH_SECONDS', 3_600, 0, 86_400),
    anchorSeconds: integer(env, 'ANCHOR_SECONDS', 2, 1, 86_400),
    historyDays: integer(env, 'HISTORY_DAYS', 90, 0, 36_500),
    recordDays: integer(env, 'RECORD_DAYS', 365, 0, 36_500),
    transfersSince: byChain(env, 'TRANSFERS_SINCE_', (name) =>
      integer(env, name, 0, 0, Number.MAX_SAFE_INTEGER),
    ),
    transferDays: integer(env, 'TRANSFER_DAYS', 0, 0, 36_500),
    confirmations: integer(
      env,
      'CONFIRMATIONS_1002',
      setting(env, 'RPC_URL_1002') === null ? 0 : 12,
      0,
      10_000,
    ),
    feeCap: 1_000_000_000n * BigInt(integer(env, 'MAX_FEE_GWEI', 500, 1, 1_000_000)),
    relay: {
      agentGas: BigInt(integer(env, 'RELAY_AGENT_GAS', 100_000_000, 0, 10_000_000_000)),
      walletGas: BigInt(integer(env, 'RELAY_WALLET_GAS', 1_500_000, 0, 1_000_000_000)),
      codeGas: BigInt(integer(env, 'RELAY_CODE_GAS', 3_000_000, 0, 1_000_000_000)),
      unprovenGas: BigInt(integer(env, 'RELAY_UNPROVEN_GAS', 10_000_000, 0, 10_000_000_000)),
      balancePercent: integer(env, 'RELAY_BALANCE_PERCENT', 10, 1, 100),
    },
    certificatesADay: integer(env, 'CERTIFICATES_A_DAY', 50, 0, 1_000_000),
    pledgesADay: integer(env, 'PLEDGES_A_DAY', 50, 0, 1_000_000),
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
  refuse(brokenRules({ config, givenBaseUrl }), (name) => setting(env, name) !== null);
  return config;
}

/**
 * For commands that send to a chain given by URL, even when the configured chains are embedded.
 * @throws ConfigError for a key that is published or can be guessed
 */
export function requireStrongSigner(config: Config): void {
  refuse(weakSigners(config));
}

/** Reports all problems at once, one a line. */
function refuse(problems: readonly Problem[], isSet: (name: string) => boolean = () => true): void {
  if (problems.length === 0) return;
  const lines = problems.map(({ setting: name, remedy }) =>
    isSet(name) ? wrong(name, remedy).message : `${name} is not set: ${remedy}`,
  );
  throw new ConfigError(lines.join('\n'));
}

/** True when both chains are the service's own. Only then may it generate keys, fund wallets and crash on purpose. */
export function embedded(config: Config): boolean {
  return config.rpcUrls[1002].length === 0 && config.rpcUrls[84532].length === 0;
}
