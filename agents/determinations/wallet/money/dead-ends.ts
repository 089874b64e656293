import { check } from '../../panel/judging.ts';
import type { Check } from '../../panel/types.ts';
import { wrappedNative } from '../../transaction/known-contracts.ts';
import { accountKind } from '../code/account-code.ts';
import { PUBLISHED_ADDRESSES } from '../look-alike/published-addresses.ts';
import type { WalletCommon, WalletFacts } from '../wallet-evidence.ts';
import type { WalletView } from '../wallet-findings.ts';

/** An address behind which no counterparty can stand, and why. */
export interface DeadEnd {
  readonly kind: 'zero' | 'burn' | 'precompile' | 'system' | 'published-key' | 'token' | 'platform';
  /** As the end of "it is …". */
  readonly says: string;
  readonly source: string;
}

const GONE = 'nobody holds its key, and what is sent there is gone';
const zeros = (digits: string): string => `0x${digits.padStart(40, '0')}`;

const ZERO: DeadEnd = { kind: 'zero', says: `the zero address: ${GONE}`, source: 'the EVM' };
const BURN: DeadEnd = {
  kind: 'burn',
  says: `a burn address or a placeholder: ${GONE}`,
  source: 'addresses that nobody drew, known by what was burned to them',
};
/** The Ethereum precompiles up to the Osaka fork, and P256VERIFY. */
const PRECOMPILE: DeadEnd = {
  kind: 'precompile',
  says: 'a precompiled contract of the EVM: what is sent there is gone',
  source: 'the Ethereum execution specification; RIP-7212',
};
const SYSTEM: DeadEnd = {
  kind: 'system',
  says: 'a system contract of the chain: nobody answers for it',
  source: 'EIP-2935, EIP-4788, EIP-7002, EIP-7251; the OP Stack specification',
};
const SOLANA_SYSTEM: DeadEnd = {
  kind: 'system',
  says: 'a program or a sink of Solana itself: what is sent there is gone',
  source: 'the Solana runtime and token programs',
};

const KNOWN: ReadonlyMap<string, DeadEnd> = new Map<string, DeadEnd>([
  [zeros(''), ZERO],
  ...Array.from({ length: 0x11 }, (_, i) => [zeros((i + 1).toString(16)), PRECOMPILE] as const),
  [zeros('100'), PRECOMPILE],
  ...[
    zeros('dead'),
    '0xdead'.padEnd(42, '0'),
    '0xdead000000000000000042069420694206942069',
    `0x${'dead'.repeat(10)}`,
    `0x${'deadbeef'.repeat(5)}`,
    '0x0000dead0000dead0000dead0000dead0000dead',
    '0x1234567890123456789012345678901234567890',
    // One digit throughout, such as the placeholder for the chain's own coin (0xeeee…).
    ...[...'123456789abcdef'].map((digit) => `0x${digit.repeat(40)}`),
  ].map((address) => [address, BURN] as const),
  ...[
    '0x0000f90827f1c53a10cb7a02335b175320002935',
    '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    '0x00000961ef480eb55e80d19ad83579a64c007002',
    '0x0000bbddc7ce488642fb579f8b00f3a590007251',
    '0x00000000219ab540356cbb839cbe05303d7705fa',
    `0x${'f'.repeat(39)}e`,
    ...Array.from({ length: 0x43 }, (_, i) => `0x42${i.toString(16).padStart(38, '0')}`),
  ].map((address) => [address, SYSTEM] as const),
  ...[
    '11111111111111111111111111111111',
    '1nc1nerator11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    'ComputeBudget111111111111111111111111111111',
    'Stake11111111111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
  ].map((address) => [address, SOLANA_SYSTEM] as const),
]);

const PUBLISHERS: Readonly<Record<keyof typeof PUBLISHED_ADDRESSES, string>> = {
  mnemonics: 'the mnemonics of development tools and test vectors',
  keys: 'the documentation and tests of clients and libraries',
  phrases: 'common words and phrases, hashed',
  numbers: 'the numbers from 1 to 512',
  bytes: 'one byte, repeated',
};

const PUBLISHED: ReadonlyMap<string, DeadEnd> = new Map(
  (Object.keys(PUBLISHED_ADDRESSES) as (keyof typeof PUBLISHED_ADDRESSES)[]).flatMap((group) =>
    PUBLISHED_ADDRESSES[group]
      .trim()
      .split(/\s+/)
      .map((digits): [string, DeadEnd] => [
        digits,
        {
          kind: 'published-key',
          says: 'the address of a private key that is published: whoever finds it moves what is there',
          source: PUBLISHERS[group],
        },
      ]),
  ),
);

/** Why nobody can stand behind this address alone; null for any other address, whoever holds its key. */
export function deadEndOf(address: string): DeadEnd | null {
  const key = /^0x/i.test(address) ? address.toLowerCase() : address;
  return KNOWN.get(key) ?? (key.startsWith('0x') ? (PUBLISHED.get(key.slice(2, 14)) ?? null) : null);
}

/** As {@link deadEndOf}, also for the dollar's own contracts, and this platform's, on the chains that were asked. */
function deadEndIn(common: WalletCommon, address: string): DeadEnd | null {
  const key = address.toLowerCase();
  const token =
    common.tokens?.find((t) => t.token === key) ??
    common.solana?.mints
      .map(({ mint, name }) => ({ token: mint, name, chain: 'solana' }))
      .find((t) => t.token === address);
  if (token !== undefined)
    return {
      kind: 'token',
      says: `the contract of ${token.name} on ${token.chain} itself: what is sent there is stuck`,
      source: 'the token contracts that this service knows',
    };
  const own = common.platform.find((p) => p.agentNft === key || p.implementation === key);
  if (own !== undefined)
    return {
      kind: 'platform',
      says: `a contract of this platform on ${own.chain}, and no agent's account`,
      source: "this platform's deployments",
    };
  return deadEndOf(address);
}

/** Everybody who was read and who is a dead end: the address, those who own or sign for it, and its delegates. */
export function deadEnds(
  common: WalletCommon,
  facts: WalletFacts,
): readonly { readonly role: string; readonly address: string; readonly why: DeadEnd }[] {
  const delegates = facts.chains.flatMap(({ code }) => {
    const account = code === null ? null : accountKind(code);
    return account?.kind === 'delegated' ? [account.to] : [];
  });
  const parties = [
    { role: 'it', address: common.address },
    ...facts.chains.flatMap((c) =>
      (c.principals?.owners ?? []).map((o) => ({ role: 'its owner', address: o })),
    ),
    ...(common.sessionKeys ?? []).map((key) => ({ role: 'its session key', address: key })),
    ...delegates.map((to) => ({ role: 'its delegate', address: to })),
  ];
  const found = parties.flatMap(({ role, address }) => {
    const why = deadEndIn(common, address);
    return why === null || (role === 'it' && isUsed(common, why)) ? [] : [{ role, address, why }];
  });
  // A contract whose owner is zero was given up by its owner, which harms nobody; a published key is in anybody's hands.
  const others = facts.chains.flatMap((c) => (c.principals?.edges ?? []).filter((e) => e.alone));
  const open = others.flatMap(({ role, who }) => {
    const why = deadEndOf(who);
    return why?.kind === 'published-key' ? [{ role, address: who, why }] : [];
  });
  return [...found, ...open];
}

/** Contracts at which something is done by calling them: only what is sent there without a call is stuck. */
const CALLED: ReadonlySet<DeadEnd['kind']> = new Set(['system', 'token', 'platform']);

/** Whether the transaction does at the address what it is for: it calls it, or wraps the native currency by a payment. */
function isUsed({ address, effects, transaction: tx }: WalletCommon, { kind }: DeadEnd): boolean {
  if (effects === undefined || tx === undefined || tx.to !== address.toLowerCase()) return false;
  return CALLED.has(kind) && (tx.data.length > 2 || wrappedNative(tx.chain) === tx.to);
}

/**
 * Whether the evidence is of a release that looked for dead ends. Earlier evidence keeps the checks that were recorded.
 */
export function looksForDeadEnds(common: WalletCommon): boolean {
  return common.policy !== undefined || common.solana !== undefined;
}

export function deadEndCheck({ common, facts, at }: WalletView): Check {
  const found = deadEnds(common, facts);
  if (found.length === 0) {
    const why = deadEndIn(common, common.address);
    const fine = 'none of the addresses behind which nobody stands';
    const detail =
      why === null ? fine : `nobody stands behind it, and the transaction calls it: it is ${why.says}`;
    const limit = 'knows published keys and fixed addresses only; says nothing about a key that was stolen';
    const sources = [{ name: 'addresses behind which nobody stands', asOf: at, limit }];
    return check('dead-end', 'PASS', detail, sources);
  }
  const sources = found.map(({ why }) => ({ name: why.source, asOf: at, limit: 'by the address alone' }));
  const says = found.map(
    ({ role, address, why }) => `${role === 'it' ? 'it' : `${role} ${address}`} is ${why.says}`,
  );
  return check('dead-end', 'FLAG', [...new Set(says)].join('; '), sources, { hard: true });
}
