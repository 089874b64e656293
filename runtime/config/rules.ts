import { parseSeeds } from '../../chain/keys/seeds.ts';
import { redisNodes } from '../durable/queue/redis-nodes.ts';
import type { ListSource } from '../registers/settings.ts';
import { independentEndpoints, isLoopbackHost, isPlainAndRemote } from './hosts.ts';
import {
  KEY_ROLES,
  type KeyRole,
  privateKeyOf,
  privateKeySetting,
  type RoleKeys,
  signerSetting,
} from './role-keys.ts';
import { weaknessOfToken } from './token-strength.ts';
import { weaknessOfKey } from './weak-key.ts';

/** A setting that must be changed, and the remedy: the end of "… is set wrongly: …", or of "… is not set: …". */
export interface Problem {
  readonly rule: string;
  readonly setting: string;
  readonly remedy: string;
}

type Hex = `0x${string}`;

/** The part of the configuration that the rules read. */
interface Config {
  readonly mode: 'development' | 'test' | 'production';
  readonly pricing: 'test' | 'live';
  readonly host: string;
  readonly baseUrl: string;
  readonly rpcUrls: Readonly<Record<1002 | 84532, readonly string[]>>;
  readonly askedRpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly explorerUrls: ReadonlyMap<number, string>;
  readonly walletRpcUrls: Readonly<Record<1002 | 84532, string | null>>;
  readonly solanaRpcUrls: readonly string[];
  readonly facilitatorUrl: string | null;
  readonly payTo: Hex | null;
  readonly stripe: { readonly secretKey: string; readonly apiBase: string | null } | null;
  readonly sessionKeySeed: string | null;
  readonly keys: RoleKeys;
  readonly keystorePasswordFile: string | null;
  readonly databaseUrl: string | null;
  readonly reads: { readonly url: string } | null;
  readonly redisUrl: string | null;
  readonly deployerPrivateKey: Hex | null;
  readonly guardianPrivateKey: Hex | null;
  readonly operatorApiKey: string | null;
  readonly reasoning: { readonly baseUrl: string | null } | null;
  readonly registers: {
    readonly sources: readonly Pick<ListSource, 'url'>[];
    readonly lookups: readonly { readonly register: 'stolen' | 'recalled'; readonly template: string }[];
  };
}

/** The input of the rules. */
export interface Judged {
  readonly config: Config;
  /** Null when `config.baseUrl` was derived from host and port. */
  readonly givenBaseUrl: string | null;
}

/** Where a rule applies: everywhere, in production, or also on chains that are not embedded. */
type Where = 'everywhere' | 'production' | 'real chains and production';

interface Rule {
  readonly rule: string;
  readonly where: Where;
  readonly setting: string;
  /** What is wrong and what would be right; null when the setting obeys the rule. */
  readonly remedy: (judged: Judged) => string | null;
}

/** True for `MODE=production`, and for anything that charges live prices. */
export function isProduction({ mode, pricing }: Pick<Config, 'mode' | 'pricing'>): boolean {
  return mode === 'production' || pricing === 'live';
}

/** Whether a card that pays here is charged real dollars. */
export function cardsOf({ stripe }: Pick<Config, 'stripe'>): 'real' | 'test' {
  return stripe?.secretKey.startsWith('sk_live_') ? 'real' : 'test';
}

const isEmbedded = ({ rpcUrls }: Config): boolean =>
  rpcUrls[1002].length === 0 && rpcUrls[84532].length === 0;

const HOLDS: Readonly<Record<Where, (config: Config) => boolean>> = {
  everywhere: () => true,
  production: isProduction,
  'real chains and production': (config) => !isEmbedded(config) || isProduction(config),
};

/** Every setting that is a secret, and where the configuration has it. */
const SECRETS = [
  ...KEY_ROLES.map((role) => [privateKeySetting(role), (c: Config) => privateKeyOf(c, role)] as const),
  ['DEPLOYER_PRIVATE_KEY', (c) => c.deployerPrivateKey],
  ['GUARDIAN_PRIVATE_KEY', (c) => c.guardianPrivateKey],
  ['SESSION_KEY_SEED', (c) => c.sessionKeySeed],
  ['OPERATOR_API_KEY', (c) => c.operatorApiKey],
] as const satisfies readonly (readonly [string, (config: Config) => string | null])[];

const needed: readonly Rule[] = (
  [
    ['OPERATOR_PRIVATE_KEY', (c) => c.keys.operator],
    ['FACILITATOR_PRIVATE_KEY', (c) => c.keys.facilitator],
    ['SESSION_KEY_SEED', (c) => c.sessionKeySeed],
  ] as const satisfies readonly (readonly [string, (config: Config) => unknown])[]
).map(([setting, read]) => ({
  rule: 'key-needed',
  // Production runs no embedded chain, and names all that it lacks at the first start.
  where: 'real chains and production',
  setting,
  remedy: ({ config }) => (read(config) === null ? 'it is needed on chains that are not embedded' : null),
}));

/** Whoever steals one key of a production service gets what that key is for, and nothing else. */
const apart: readonly Rule[] = KEY_ROLES.flatMap((role): Rule[] => [
  {
    rule: 'keys-apart',
    where: 'production',
    setting: privateKeySetting(role),
    remedy: ({ config }) =>
      config.keys[role] !== null || role === 'operator' || role === 'facilitator'
        ? null
        : `production has a key of its own for each role: set it, or ${signerSetting(role)}`,
  },
  {
    rule: 'embedded-roles',
    where: 'everywhere',
    setting: privateKeySetting(role),
    remedy: ({ config }) =>
      isEmbedded(config) &&
      privateKeyOf(config, role) !== null &&
      role !== 'operator' &&
      role !== 'facilitator'
        ? 'on embedded chains the operator’s key holds every role: unset it, or set RPC_URL_1002'
        : null,
  },
  {
    rule: 'held-elsewhere',
    where: 'everywhere',
    setting: signerSetting(role),
    remedy({ config }) {
      const source = config.keys[role];
      if (source === null || source.form === 'private') return null;
      if (isEmbedded(config))
        return 'keys held elsewhere are for chains that are not embedded: unset it, or set RPC_URL_1002';
      return source.form === 'keystore' && config.keystorePasswordFile === null
        ? 'a keystore needs its password: set KEYSTORE_PASSWORD_FILE'
        : null;
    },
  },
]);

const strong: readonly Rule[] = SECRETS.map(([setting, read]) => ({
  rule: 'weak-secret',
  where: 'real chains and production',
  setting,
  remedy({ config }) {
    const value = read(config);
    if (value === null) return null;
    const isToken = setting === 'OPERATOR_API_KEY';
    const weaknesses = isToken ? [weaknessOfToken(value)] : keysIn(setting, value).map(weaknessOfKey);
    const weakness = weaknesses.find((found) => found !== null) ?? null;
    if (weakness === null) return null;
    return `it ${weakness}; make one with "openssl rand -hex 32"${isToken ? '' : ', and write 0x before it'}`;
  },
}));

/** What a private key or seed consists of: of a seed every version that is held, one for session keys alone too. */
function keysIn(setting: string, value: string): readonly string[] {
  if (setting !== 'SESSION_KEY_SEED') return [value];
  return (parseSeeds(value) ?? []).map(({ bytes }) => `0x${bytes.toString('hex')}`);
}

const distinct: readonly Rule[] = SECRETS.map(([setting, read], i) => ({
  rule: 'repeated-secret',
  where: 'real chains and production',
  setting,
  remedy({ config }) {
    const value = read(config);
    const same = SECRETS.slice(0, i).find(([, other]) => areOne(value, other(config)));
    return same ? `it holds the same secret as ${same[0]}: give each role one of its own` : null;
  },
}));

const nodes: readonly Rule[] = ([1002, 84532] as const).map((chainId) => ({
  rule: 'two-nodes',
  where: 'production',
  setting: `RPC_URL_${chainId}`,
  remedy({ config }) {
    const urls = config.rpcUrls[chainId];
    if (urls.length === 0)
      return 'production runs no embedded chain: name the URLs of two independent nodes, separated by a comma';
    if (independentEndpoints(urls) >= 2) return null;
    return notTwo(urls);
  },
}));

const solanaNodes: Rule = {
  rule: 'two-nodes',
  where: 'production',
  setting: 'SOLANA_RPC_URL',
  remedy({ config: { solanaRpcUrls: urls } }) {
    return urls.length === 0 || independentEndpoints(urls) >= 2 ? null : notTwo(urls);
  },
};

const notTwo = (urls: readonly string[]): string =>
  `production reads each chain through two independent nodes, and ${urls.length === 1 ? 'one is named' : 'both URLs lead to the same host and port'}: name two, separated by a comma`;

/** The rules of every further chain that can be asked about, and of every explorer. */
function askedChains({ askedRpcUrls, explorerUrls }: Config): Rule[] {
  const nodesOf = [...askedRpcUrls].flatMap(([chainId, urls]): Rule[] => {
    const setting = `RPC_URL_${chainId}`;
    const remedy = () => (independentEndpoints(urls) >= 2 ? null : notTwo(urls));
    return [{ rule: 'two-nodes', where: 'production', setting, remedy }, encryptedRule(setting, () => urls)];
  });
  const explorers = [...explorerUrls].flatMap(([chainId, url]) => [
    encryptedRule(`EXPLORER_URL_${chainId}`, () => [url]),
  ]);
  return [...nodesOf, ...explorers];
}

/** Every source on which verdicts, payments and money depend. For a URL template, its host is checked. */
const SOURCES: readonly (readonly [string, (config: Config) => readonly (string | null | undefined)[]])[] = [
  ['RPC_URL_1002', (c) => c.rpcUrls[1002]],
  ['RPC_URL_84532', (c) => c.rpcUrls[84532]],
  ['SOLANA_RPC_URL', (c) => c.solanaRpcUrls],
  ['FACILITATOR_URL', (c) => [c.facilitatorUrl]],
  ...KEY_ROLES.map((role) => [signerSetting(role), (c: Config) => remoteUrlOf(c, role)] as const),
  ['STRIPE_API_BASE', (c) => [c.stripe?.apiBase]],
  ['OPENAI_BASE_URL', (c) => [c.reasoning?.baseUrl]],
  ['REGISTER_SOURCES', (c) => c.registers.sources.map(({ url }) => url)],
  ['STOLEN_LOOKUP_URL', (c) => lookupOf(c, 'stolen')],
  ['RECALLED_LOOKUP_URL', (c) => lookupOf(c, 'recalled')],
];

const encryptedRule = (setting: string, urlsOf: (typeof SOURCES)[number][1]): Rule => ({
  rule: 'plain-http',
  where: 'production',
  setting,
  remedy({ config }) {
    const plain = urlsOf(config).find((url) => url && isPlainAndRemote(url));
    if (!plain) return null;
    return `what comes over plain http from ${new URL(plain).hostname} can be changed on the way: use https (plain http is taken from this machine alone)`;
  },
});

const encrypted: readonly Rule[] = SOURCES.map(([setting, urlsOf]) => encryptedRule(setting, urlsOf));

/** What passes between machines is every private word of every owner. */
const stores: readonly Rule[] = [
  {
    rule: 'plain-database',
    where: 'production',
    setting: 'DATABASE_URL',
    remedy: ({ config }) => databaseRemedy(config.databaseUrl),
  },
  {
    rule: 'plain-database',
    where: 'production',
    setting: 'DATABASE_READ_URL',
    remedy: ({ config }) => databaseRemedy(config.reads?.url ?? null),
  },
  {
    rule: 'plain-queue',
    where: 'production',
    setting: 'REDIS_URL',
    remedy({ config: { redisUrl } }) {
      const nodes = redisUrl === null ? [] : redisNodes(redisUrl);
      const plain = nodes.find((node) => !node.startsWith('rediss:') && isRemote(redisHost(node)));
      if (plain === undefined) return null;
      return `what goes to ${redisHost(plain)} without TLS can be read and changed on the way: use rediss://`;
    },
  },
];

/** False for the path of a socket, too. */
const isRemote = (host: string): boolean => host !== '' && !host.startsWith('/') && !isLoopbackHost(host);

/** Where ioredis connects to: a parameter stands in for a host that the address leaves out. */
function redisHost(url: string): string {
  const { hostname, searchParams } = new URL(url);
  return hostname || (searchParams.getAll('host').at(-1) ?? '');
}

function databaseRemedy(url: string | null): string | null {
  if (url === null) return null;
  const { hostname, searchParams } = new URL(url);
  // As node-postgres reads it: a parameter overrules the host of the address, and the last of one name counts.
  const last = (name: string): string => searchParams.getAll(name).at(-1) ?? '';
  const host = last('host') || hostname.replaceAll(/%2f/gi, '/');
  if (host === '') return 'it names no host, so that PGHOST would say where it leads: name one';
  // Any lesser mode takes whatever certificate the other end shows.
  if (!isRemote(host) || last('sslmode') === 'verify-full') return null;
  return `what goes to ${host} without a verified certificate can be read and changed on the way: add sslmode=verify-full, and sslrootcert=<file> for an authority of your own`;
}

/** These addresses are handed to owners' wallets, which run elsewhere and read through them what is signed. */
const walletNodes: readonly Rule[] = ([1002, 84532] as const).map((chainId) => ({
  rule: 'wallet-node',
  where: 'production',
  setting: `WALLET_RPC_URL_${chainId}`,
  remedy({ config }) {
    const given = config.walletRpcUrls[chainId];
    if (given === null) return null;
    const { protocol, hostname, username, password } = new URL(given);
    if (username !== '' || password !== '')
      return 'it is shown to everybody: name an address without a user and a password';
    if (isLoopbackHost(hostname))
      return `${hostname} is each owner's own machine: name an address by which wallets elsewhere reach the chain`;
    return protocol === 'https:'
      ? null
      : `what wallets read over plain http from ${hostname} can be changed on the way: use https`;
  },
}));

/** The rules between settings, in the order in which they are told. */
export const RULES: readonly Rule[] = [
  {
    rule: 'public-address',
    where: 'everywhere',
    setting: 'BASE_URL',
    remedy: ({ config, givenBaseUrl }) =>
      givenBaseUrl === null && !isLoopbackHost(config.host)
        ? `it is needed where HOST (${config.host}) is not a loopback address: set it to the address by which others reach the service, such as https://handshake.example`
        : null,
  },
  {
    rule: 'https-address',
    where: 'production',
    setting: 'BASE_URL',
    remedy({ config, givenBaseUrl }) {
      if (givenBaseUrl === null && !isLoopbackHost(config.host)) return null;
      return config.baseUrl.startsWith('https:')
        ? null
        : 'production is reached over https: set it to the public address, such as https://handshake.example, and let a proxy in front end TLS';
    },
  },
  ...needed,
  ...apart,
  {
    rule: 'operator-key-needed',
    where: 'production',
    setting: 'OPERATOR_API_KEY',
    remedy: ({ config }) =>
      config.operatorApiKey === null
        ? 'it is needed in production: make one with "openssl rand -hex 32"'
        : null,
  },
  ...strong,
  ...distinct,
  {
    rule: 'real-cards',
    where: 'production',
    setting: 'STRIPE_SECRET_KEY',
    remedy({ config }) {
      if (config.stripe === null)
        return 'production takes no test cards: set the live secret key (sk_live_…), and STRIPE_WEBHOOK_SECRETS';
      return cardsOf(config) === 'real'
        ? null
        : 'a key of test mode takes no money: set the live secret key (sk_live_…)';
    },
  },
  ...nodes,
  {
    rule: 'payee-needed',
    where: 'production',
    setting: 'PAY_TO',
    // The treasury of a deployment file may be rotated, also because its key was stolen, and the file does not follow.
    remedy: ({ config }) =>
      config.payTo === null
        ? 'production names whom USDC is paid to: set an address that is yours on both chains, 1002 and 84532'
        : null,
  },
  solanaNodes,
  ...encrypted,
  ...stores,
  ...walletNodes,
];

/** Finds every rule that the configuration breaks. */
export function brokenRules(judged: Judged): Problem[] {
  return [...RULES, ...askedChains(judged.config)].flatMap(({ rule, where, setting, remedy }) => {
    const found = HOLDS[where](judged.config) ? remedy(judged) : null;
    return found === null ? [] : [{ rule, setting, remedy: found }];
  });
}

const COMMANDED = ['DEPLOYER_PRIVATE_KEY', 'GUARDIAN_PRIVATE_KEY', 'OPERATOR_PRIVATE_KEY'];

/** Finds weak keys among those that sign for a person's command. The chain is not an embedded one. */
export function weakSigners(config: Config): Problem[] {
  return strong.flatMap(({ rule, setting, remedy }) => {
    if (!COMMANDED.includes(setting)) return [];
    const found = remedy({ config, givenBaseUrl: null });
    return found === null ? [] : [{ rule, setting, remedy: found }];
  });
}

/** True when one secret contains the other, however each is written. */
function areOne(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const [a, b] = [one, other].map((secret) => secret.toLowerCase().replace(/^0x/, '')) as [string, string];
  return a.includes(b) || b.includes(a);
}

function remoteUrlOf({ keys }: Config, role: KeyRole): string[] {
  const source = keys[role];
  return source?.form === 'remote' ? [source.url] : [];
}

function lookupOf({ registers }: Config, register: 'stolen' | 'recalled'): string[] {
  return registers.lookups
    .filter((lookup) => lookup.register === register)
    .map(({ template }) => template.replaceAll(/\{(?:kind|serial|key)\}/g, 'x'));
}
