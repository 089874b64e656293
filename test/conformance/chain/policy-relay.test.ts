import { type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MandateTerms, NO_CAP_PER_DEAL } from '../../../agents/mandate/terms/terms.ts';
import {
  isKeyLive,
  type MintedAgent,
  mintAgent,
  readAgentOnChain,
  UNCAPPED,
} from '../../../chain/clients/agents.ts';
import { nextSlot, relayKeyGrant, relayMandate, relayPause } from '../../../chain/clients/policy-relay.ts';
import {
  grantKeyTypedData,
  type KeyGrant,
  type MandateChange,
  type PauseChange,
  setMandateTypedData,
  setPausedTypedData,
} from '../../../chain/clients/policy-typed-data.ts';
import type { Relay } from '../../../chain/clients/relay-call.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { type TestAccount, type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { unguarded } from '../../fixtures/unguarded.ts';

const USD = 1_000_000n;
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
const reference = (name: string) => keccak256(toHex(name));

let chain: TestChain;
let relay: Relay;
let agent: MintedAgent;
/** Unix seconds of the chain. */
let now: number;

function terms(change: Partial<MandateTerms> = {}): MandateTerms {
  return {
    mandateHash: reference('first'),
    validAfter: 0,
    expiry: now + 86_400,
    sides: 3,
    allowlistOnly: false,
    categories: 0n,
    caps: { perDeal: 5n * USD, dayCap: 9n * USD, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
    allow: [],
    deny: [],
    offChain: [],
    ...change,
  };
}

async function slot() {
  const { number } = await relay.reader.head();
  const { epoch, nonce, block } = await nextSlot(relay.reader, chain.deployment, agent.tokenId, number);
  return { since: block, next: { tokenId: agent.tokenId, epoch, nonce, deadline: now + 3_600 } };
}

async function onChain() {
  const { number } = await relay.reader.head();
  return readAgentOnChain(relay.reader, chain.deployment, agent.tokenId, number);
}

const live = async (key: Hex) =>
  isKeyLive(relay.reader, chain.deployment, agent.tokenId, key, (await relay.reader.head()).number);

const sent = async () => relay.reader.nonce(relay.signer.address, (await relay.reader.head()).number);

/** As a wallet signs what came as JSON. */
const sign = (by: TestAccount, document: unknown): Promise<Hex> =>
  by.signTypedData(JSON.parse(JSON.stringify(document)) as Parameters<typeof by.signTypedData>[0]);

const grantFor = async (key: Hex, by: TestAccount, change: Partial<KeyGrant> = {}) => {
  const { since, next } = await slot();
  const grant: KeyGrant = { ...next, key, validUntil: now + 7_200, ...change };
  return { change: grant, since, signature: await sign(by, grantKeyTypedData(chain.deployment, grant)) };
};

const pauseBy = async (by: TestAccount, paused: boolean) => {
  const { since, next } = await slot();
  const change: PauseChange = { ...next, paused };
  return { change, since, signature: await sign(by, setPausedTypedData(chain.deployment, change)) };
};

const mandateBy = async (by: TestAccount, given: MandateTerms) => {
  const { since, next } = await slot();
  const change: MandateChange = { ...next, terms: given };
  return { change, since, signature: await sign(by, setMandateTypedData(chain.deployment, change)) };
};

const refused = (errorName: string) => ({ kind: 'reverted', errorName });

beforeAll(async () => {
  chain = await testChain();
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  const reader = viemReader({ rpcUrl, chainId });
  const signer = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  relay = { signer, reader, deployment, guard: unguarded };
  now = Number((await reader.head()).timestamp);
  agent = await mintAgent(signer, deployment, {
    to: accounts.alice.address,
    tier: 1,
    paymentRef: reference('relays'),
    key: keys.at(0).address,
    keyValidUntil: now + 86_400,
    uri: '',
    terms: terms(),
  });
});

afterAll(() => chain.stop());

describe("a mandate by its owner's signature", () => {
  it('is in force with every clause that was signed, once, however often it is sent', async () => {
    const { alice, bob, carol } = chain.accounts;
    const signed = await mandateBy(
      alice,
      terms({
        mandateHash: reference('second'),
        sides: 1,
        allowlistOnly: true,
        categories: 5n,
        caps: {
          perDeal: 7n * USD,
          dayCap: 8n * USD,
          weekCap: 9n * USD,
          monthCap: 10n * USD,
          totalCap: 11n * USD,
          minPrice: 1n,
        },
        allow: [bob.address, carol.address],
        deny: [chain.deployment.treasury],
      }),
    );
    const tx = await relayMandate(relay, signed);
    expect(await onChain()).toMatchObject({
      mandateHash: reference('second'),
      mandateVersion: 2,
      limits: { perDeal: 7n * USD, day: 8n * USD, week: 9n * USD, month: 10n * USD, total: 11n * USD },
    });
    const count = await sent();
    expect(await Promise.all([relayMandate(relay, signed), relayMandate(relay, signed)])).toEqual([tx, tx]);
    expect(await sent()).toBe(count);
    expect((await onChain()).mandateVersion).toBe(2);
  });

  it('sent twice at the same moment is set once, and both hear of the one transaction', async () => {
    const signed = await mandateBy(chain.accounts.alice, terms({ mandateHash: reference('at once') }));
    const before = (await onChain()).mandateVersion;
    const [one, two] = await Promise.all([relayMandate(relay, signed), relayMandate(relay, signed)]);
    expect(one).toBe(two);
    expect((await onChain()).mandateVersion).toBe(before + 1);
  });

  it('that only sells and names no cap is taken; one unit more than the policy keeps is refused by name', async () => {
    const { alice } = chain.accounts;
    const none = {
      perDeal: NO_CAP_PER_DEAL,
      dayCap: 0n,
      weekCap: 0n,
      monthCap: 0n,
      totalCap: 0n,
      minPrice: 0n,
    };
    await relayMandate(relay, await mandateBy(alice, terms({ sides: 2, caps: none })));
    expect((await onChain()).limits).toMatchObject({
      perDeal: NO_CAP_PER_DEAL,
      day: UNCAPPED,
      spendable: 0n,
    });
    for (const cap of ['perDeal', 'dayCap', 'weekCap', 'monthCap', 'totalCap', 'minPrice']) {
      const wider = await mandateBy(alice, terms({ caps: { ...none, [cap]: NO_CAP_PER_DEAL + 1n } }));
      await expect(relayMandate(relay, wider)).rejects.toMatchObject({
        ...refused('CapTooLarge'),
        args: [chain.deployment.usdc, NO_CAP_PER_DEAL + 1n],
      });
    }
  });

  it('is refused where it means nothing, and its slot stays free', async () => {
    const signed = await mandateBy(chain.accounts.alice, terms({ sides: 0 }));
    await expect(relayMandate(relay, signed)).rejects.toMatchObject(refused('InvalidSides'));
    expect((await slot()).next.nonce).toBe(signed.change.nonce);
  });
});

describe("a session key by its owner's signature", () => {
  it('is live once it is relayed, and the relay tells the same transaction again', async () => {
    const key = keys.at(1).address;
    const signed = await grantFor(key, chain.accounts.alice);
    expect(await live(key)).toBe(false);
    const tx = await relayKeyGrant(relay, signed);
    expect(await live(key)).toBe(true);
    expect(await relayKeyGrant(relay, signed)).toBe(tx);
  });

  it('is refused when a stranger signed, or the owner signed something else, before any gas is spent', async () => {
    const key = keys.at(2).address;
    const count = await sent();
    const foreign = await grantFor(key, chain.accounts.bob);
    await expect(relayKeyGrant(relay, foreign)).rejects.toMatchObject(refused('BadOwnerSignature'));
    const honest = await grantFor(keys.at(3).address, chain.accounts.alice);
    const bent = { ...honest, change: { ...honest.change, key } };
    await expect(relayKeyGrant(relay, bent)).rejects.toMatchObject(refused('BadOwnerSignature'));
    const late = await grantFor(key, chain.accounts.alice, { deadline: now - 1 });
    await expect(relayKeyGrant(relay, late)).rejects.toMatchObject(refused('SignatureExpired'));
    expect([await live(key), await sent()]).toEqual([false, count]);
  });

  it('is refused when its slot went to another change, and is not taken for an older one of its kind', async () => {
    const { alice } = chain.accounts;
    const key = keys.at(4).address;
    const [first, second] = [await grantFor(key, alice), await grantFor(keys.at(5).address, alice)];
    expect(first.change.nonce).toBe(second.change.nonce);
    await relayKeyGrant(relay, first);
    await expect(relayKeyGrant(relay, second)).rejects.toMatchObject(refused('BadOwnerSignature'));
    expect(await live(keys.at(5).address)).toBe(false);
    // The same grant, made before this signature was asked for, is not its doing.
    const again = await grantFor(key, alice);
    await relayKeyGrant(relay, await grantFor(keys.at(6).address, alice));
    await expect(relayKeyGrant(relay, again)).rejects.toMatchObject(refused('BadOwnerSignature'));
  });
});

describe("a pause by its owner's signature", () => {
  it('stops the agent and is lifted by the next one, each counted once', async () => {
    const { alice } = chain.accounts;
    const pause = await pauseBy(alice, true);
    const paused = await relayPause(relay, pause);
    expect(await onChain()).toMatchObject({ paused: true, limits: { spendable: 0n } });
    const resume = await pauseBy(alice, false);
    const resumed = await relayPause(relay, resume);
    expect((await onChain()).paused).toBe(false);
    // Sent again, the pause is the one that was: it pauses nothing anew.
    expect(await relayPause(relay, pause)).toBe(paused);
    expect(await relayPause(relay, resume)).toBe(resumed);
    expect((await onChain()).paused).toBe(false);
  });

  it('is refused from anyone else, the session key included', async () => {
    const key = keys.at(0);
    const { since, next } = await slot();
    const change: PauseChange = { ...next, paused: true };
    const { domain, types, primaryType, message } = setPausedTypedData(chain.deployment, change);
    const signature = await key.signTypedData({
      domain,
      types,
      primaryType,
      message: { ...message, agentId: BigInt(message.agentId), nonce: BigInt(message.nonce) },
    });
    await expect(relayPause(relay, { change, since, signature })).rejects.toMatchObject(
      refused('BadOwnerSignature'),
    );
    expect((await onChain()).paused).toBe(false);
  });
});

describe('the next signature of an agent', () => {
  it('follows the last that the chain took', async () => {
    const { number } = await relay.reader.head();
    const before = await nextSlot(relay.reader, chain.deployment, agent.tokenId, number);
    expect(before).toMatchObject({ epoch: 1, block: number });
    await relayPause(relay, await pauseBy(chain.accounts.alice, false));
    expect((await slot()).next.nonce).toBe(before.nonce + 1n);
  });
});
