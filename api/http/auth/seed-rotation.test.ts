import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { PER_VERSION, sessionKeys } from '../../../chain/clients/session-keys.ts';
import {
  parseSeeds,
  seedKeys,
  withNextSeed,
  withoutSeed,
  withSeedForSessionKeys,
} from '../../../chain/keys/seeds.ts';
import { readConfig } from '../../../runtime/config/config.ts';
import { verdictKey } from '../../../runtime/records/portable/verdict-key.ts';
import { secretBoxOf } from '../../../runtime/webhooks/secret-box.ts';
import { signInNonces } from '../../x402/sign-in.ts';
import { challengeNonces } from './challenge-nonces.ts';
import { readSessions } from './read-sessions.ts';

const WALLET = `0x${'ab'.repeat(20)}` as const;
const TERMS = { uri: 'https://handshake.test/x', issuedAt: 'then', expirationTime: 'later' };
const at = new Date('2026-11-23T12:00:00Z');

/** What a process makes and accepts that was started with this seed. */
function processWith(seed: string) {
  const keys = seedKeys(seed);
  const [signIns, owners, sessions] = [signInNonces(keys), challengeNonces(keys), readSessions(keys)];
  const box = secretBoxOf(keys, 'webhook secrets');
  const make = () => ({
    signIn: signIns.make(TERMS),
    owner: owners.make({ wallet: WALLET, issuedAt: at }, 'an act'),
    session: sessions.make({ wallet: WALLET, beneficialOwner: WALLET }, new Date(at.getTime() + 60_000)),
    secret: box.close('a secret'),
  });
  const accepts = (made: ReturnType<typeof make>) => [
    signIns.isOurs(made.signIn, TERMS),
    owners.isOurs(made.owner, 'an act'),
    sessions.readerOf(made.session, at)?.wallet === WALLET,
    opens(() => box.open(made.secret)),
  ];
  return { make, accepts, owners, box, agents: sessionKeys(seed) };
}
const opens = (open: () => string): boolean => {
  try {
    return open() === 'a secret';
  } catch {
    return false;
  }
};
const all = [true, true, true, true];
const none = [false, false, false, false];

describe('rotating the seed', () => {
  const seed = generatePrivateKey();
  const next = withNextSeed(seed, generatePrivateKey());
  const [before, accepting, using] = [seed, next.accepted, next.used].map(processWith) as [
    ReturnType<typeof processWith>,
    ReturnType<typeof processWith>,
    ReturnType<typeof processWith>,
  ];
  const over = processWith(withoutSeed(next.used, 0));

  it('no process meets what it does not accept, at either step of a rolling restart', () => {
    for (const [one, other] of [
      [before, accepting],
      [accepting, using],
    ] as const) {
      expect(other.accepts(one.make())).toEqual(all);
      expect(one.accepts(other.make())).toEqual(all);
    }
    // Without the first step a process that was not restarted yet would refuse what the others gave out.
    expect(before.accepts(using.make())).toEqual(none);
  });

  it('a version that leaked holds session keys alone: whoever has it makes nothing that counts', () => {
    const retired = withSeedForSessionKeys(next.used, 0);
    expect(parseSeeds(retired)?.map(({ version }) => version)).toEqual([1, 0]);
    const after = processWith(retired);
    expect(after.accepts(before.make())).toEqual(none);
    expect(after.accepts(using.make())).toEqual(all);
    expect(after.agents.at(7).address).toBe(before.agents.at(7).address);
    const kids = verdictKey(seedKeys(retired)).published.map(({ kid }) => kid);
    expect(kids).toEqual([verdictKey(seedKeys(next.used)).kid]);
    expect(withoutSeed(retired, 0)).toBe(withoutSeed(next.used, 0));
    expect(() => withSeedForSessionKeys(next.used, 1)).toThrow('in use');
    expect(withNextSeed(retired, generatePrivateKey()).used).toContain(',0s:0x');
  });

  it('a start on chains of others takes every text that a step prints', () => {
    const retired = withSeedForSessionKeys(next.used, 0);
    const again = withNextSeed(retired, generatePrivateKey());
    const texts = [next.accepted, next.used, retired, again.accepted, again.used];
    for (const text of [...texts, withSeedForSessionKeys(again.used, 1), withoutSeed(retired, 0)]) {
      const env = {
        RPC_URL_1002: 'http://node.example',
        OPERATOR_PRIVATE_KEY: generatePrivateKey(),
        FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
        SESSION_KEY_SEED: text,
      };
      expect(readConfig(env).sessionKeySeed).toBe(text);
    }
  });

  it('once the old version is dropped, nothing that was made with it counts', () => {
    expect(over.accepts(before.make())).toEqual(none);
    expect(over.accepts(using.make())).toEqual(all);
  });

  it('a secret that was rewrapped opens when the old version is dropped, and one that was not does not', () => {
    const kept = before.box.close('a secret');
    expect(using.box.isCurrent(kept)).toBe(false);
    const rewrapped = using.box.close(using.box.open(kept));
    expect([using.box.isCurrent(rewrapped), over.box.open(rewrapped)]).toEqual([true, 'a secret']);
    expect(() => over.box.open(kept)).toThrow('not held');
    const renamed = Buffer.from(kept, 'base64');
    renamed[0] = 1;
    expect(() => using.box.open(renamed.toString('base64'))).toThrow();
  });

  it('the salt of a private body stays that of its nonce', () => {
    const { owner } = before.make();
    expect(using.owners.saltOf(owner)).toBe(before.owners.saltOf(owner));
  });

  it('agents keep their session keys, and new ones get keys of the new version', () => {
    expect(using.agents.at(7).address).toBe(before.agents.at(7).address);
    expect([before.agents.base, using.agents.base]).toEqual([0n, BigInt(PER_VERSION)]);
    const moved = Number(using.agents.base) + 7;
    expect(accepting.agents.at(moved).address).toBe(using.agents.at(moved).address);
    expect(using.agents.at(moved).address).not.toBe(using.agents.at(7).address);
    expect(() => before.agents.at(moved)).toThrow('version 1 are not held');
    expect(() => over.agents.at(7)).toThrow('version 0 are not held');
  });

  it('keys of different purposes have nothing in common', () => {
    const keys = seedKeys(seed);
    expect(keys('one').key).not.toEqual(keys('two').key);
    expect(keys('one').key).toHaveLength(32);
  });
});

it('a seed is one, or several of different versions', () => {
  const one = generatePrivateKey();
  expect(parseSeeds(one)?.map(({ version }) => version)).toEqual([0]);
  expect(parseSeeds(`3:${one},0:${one}`)?.map(({ version }) => version)).toEqual([3, 0]);
  for (const wrong of [
    '',
    '0x12',
    `1:${one},1:${one}`,
    `1s:${one}`,
    `1s:${one},0:${one}`,
    `256:${one}`,
    `${one};${one}`,
  ])
    expect(parseSeeds(wrong)).toBeNull();
});
