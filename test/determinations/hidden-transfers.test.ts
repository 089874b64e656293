import { sql } from 'kysely';
import { toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { payeesOf } from '../../store/chain-sync/flows.ts';
import { minedIn } from '../fixtures/chain/anvil.ts';
import { walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** Worthless transfers, of which anybody can make any number, hide no money, and accuse nobody but who sends them. */

const MANY = 1_500;
let stage: Awaited<ReturnType<typeof walletStage>>;
let fresh = 0xd00_000;
const next = (): string => `0x${(fresh++).toString(16).padStart(40, '0')}`;
/** Two that look alike. */
const twins = (): [string, string] => {
  const ends = (fresh++).toString(16).slice(-5);
  return ['1', '2'].map((digit) => `0x${ends}${digit.repeat(30)}${ends}`) as [string, string];
};

beforeAll(async () => {
  stage = await walletStage();
});
beforeEach(async () => {
  await stage.list('sanctions', [next()]);
  await stage.list('known-scam', [next()]);
});
afterAll(() => stage?.stop());

async function rich(dollars: number): Promise<string> {
  const who = next();
  await stage.usdc(who, dollars);
  return who;
}

let places = 1_000_000;
/** Rows of the newest block of the index that no chain has: what is sent a thousand times takes too long on one. */
async function rows(from: string, to: string, amount: bigint, many = MANY, isNative = false): Promise<void> {
  const token = isNative ? null : stage.chain.deployment.usdc.toLowerCase();
  await sql`
    insert into transfers (chain_id, block, place, tx, token, sender, receiver, amount, at)
    select 1002, r.to_block, ${places}::int + n, '0x' || lpad(to_hex(${places}::int + n), 64, '0'), ${token}, ${from}, ${to},
      ${amount.toString()}::numeric, now()
    from transfer_ranges r, generate_series(1, ${many}::int) n where r.chain_id = 1002`.execute(stage.db);
  places += many + 1;
}

let attacker: string | undefined;
/** Nothing moves from one to the other, by a transaction of neither. */
async function inNameOf(who: string, to: string): Promise<void> {
  attacker ??= await rich(10);
  const data = `0x23b872dd${[who, to].map((a) => a.slice(2).padStart(64, '0')).join('')}${'0'.repeat(64)}`;
  await stage.rpc('anvil_setBalance', attacker, toHex(10n ** 19n));
  await stage.rpc('anvil_impersonateAccount', attacker);
  const sent = { from: attacker, to: stage.chain.deployment.usdc, data, gas: toHex(200_000) };
  await minedIn(stage.chain.url, await stage.rpc('eth_sendTransaction', sent));
}

async function on(who: string, asker?: string) {
  const { record, evidence } = await stage.on(who, '2-of-2', {}, asker);
  const check = (id: string) => record.evidence.checks.find((c) => c.id === id);
  const common = evidence.determinations[0]!.common as WalletCommon;
  return { verdict: record.verdict, check, common, transfers: check('transfers') };
}

describe('worthless transfers', () => {
  it('of nothing, or to oneself, hide no money of a listed address, however many they are', async () => {
    const bad = await rich(100);
    const [mule, who] = [next(), next()];
    await stage.pay(bad, mule, 90);
    await stage.pay(mule, who, 80);
    await stage.follow();
    await stage.list('known-scam', [bad]);
    await rows(mule, mule, 0n);
    await rows(mule, mule, 5_000_000n);
    await rows(next(), mule, 0n);
    await rows(next(), mule, 9n);
    const found = await on(who);
    expect([found.verdict, found.transfers?.outcome]).toEqual(['FLAGGED', 'FLAG']);
    expect(found.transfers?.detail).toContain(`came from ${bad} at distance 2`);
  });

  it('of nothing in the name of an address are none of its payments, and make none of before a listing a later one', async () => {
    const [who, payee] = [await rich(10), next()];
    await stage.pay(who, payee, 5);
    await stage.follow();
    const since = new Date(Date.now() + 3_600_000);
    await stage.list('known-scam', [payee], { detail: { since: since.toISOString() } });
    expect((await on(who)).transfers?.outcome).toBe('PASS');
    const stranger = next();
    await rows(who, stranger, 0n, 3);
    await rows(stranger, who, 0n, 3);
    await rows(who, payee, 0n, 3);
    await sql`update transfers set at = ${new Date(since.getTime() + 1_000)} where amount = 0 and receiver = ${payee}`.execute(
      stage.db,
    );
    const later = await on(who);
    expect(later.transfers?.outcome).toBe('PASS');
    const [history] = later.common.transfers!.histories;
    const parties = history!.flows.flatMap((f) => (f.of === who ? f.parties : []));
    expect(parties.map((p) => [p.address, p.transfers])).toContainEqual([payee, 1]);
    expect(parties.map((p) => p.address)).not.toContain(stranger);
    // The same in a block that is not in the index yet, which each seat reads itself.
    await inNameOf(who, payee);
    const now = await on(who);
    expect([now.transfers?.outcome, now.check('transfers')?.detail]).toEqual([
      'PASS',
      expect.stringContaining(`on eip155:1002`),
    ]);
  });

  it('take no place from money in another currency', async () => {
    const bad = await rich(1);
    const [mule, who] = [next(), next()];
    await stage.follow();
    await rows(bad, mule, 10n ** 18n, 1, true);
    await rows(mule, who, 10n ** 18n, 1, true);
    for (let n = 0; n < 60; n++) await rows(next(), who, 1n, 1);
    await stage.list('known-scam', [bad]);
    const found = await on(who);
    expect([found.verdict, found.transfers?.detail]).toEqual([
      'FLAGGED',
      expect.stringContaining(`came from ${bad} at distance 2`),
    ]);
  });

  it('to oneself hide none of the address’s own, nor who paid it first', async () => {
    const [bad, who] = [await rich(100), next()];
    await stage.pay(bad, who, 90);
    await stage.follow();
    await stage.list('known-scam', [bad]);
    await rows(who, who, 0n, 5_001);
    const found = await on(who);
    expect([found.verdict, found.transfers?.outcome]).toEqual(['FLAGGED', 'FLAG']);
    const [history] = found.common.transfers!.histories;
    expect(history).toMatchObject({ first: { address: bad }, nets: null });
    expect(history!.cutOff).toContain('of dust, and of what it sent to itself');
  });

  it('hide nobody whom the address paid', async () => {
    const [who, payee] = [await rich(10), next()];
    await stage.pay(who, payee, 5);
    await stage.follow();
    await rows(who, who, 2_000_000n, 3_000);
    await rows(who, next(), 0n, 3_000);
    expect(await payeesOf(stage.db, who, { since: new Date(0), most: 2_000 })).toEqual([payee]);
  });

  it('that cost something, and are more than are looked at, leave open what came by way of them', async () => {
    const bad = await rich(100);
    const [mule, helper, who] = [next(), next(), next()];
    await stage.pay(bad, mule, 90);
    await stage.pay(mule, who, 80);
    await stage.follow();
    await stage.list('known-scam', [bad]);
    await rows(helper, mule, 1_000_000n, 900);
    expect((await on(who)).transfers?.outcome).toBe('PASS');
    await rows(helper, mule, 1_000_000n, 600);
    const found = await on(who);
    expect([found.verdict, found.transfers?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(found.transfers?.detail).toContain(`by way of ${mule}`);
  });
});

describe('dust', () => {
  const poisoning = async (who: string) => (await on(who)).check('address-poisoning')?.outcome;

  it('that others sent to an address, and whom they paid, is none of its doing', async () => {
    const [who, twin] = twins();
    const attacker = await rich(10);
    await stage.usdc(who, 5);
    await stage.pay(attacker, who, 0);
    await stage.pay(attacker, twin, 1);
    await stage.follow();
    expect(await poisoning(who)).toBe('PASS');
    // Nor is it that whom it paid a few cents pays somebody like it afterwards.
    await stage.pay(who, attacker, 0.01);
    await stage.pay(attacker, next(), 1);
    await stage.follow();
    const later = twins();
    const seller = await rich(10);
    await stage.usdc(later[0], 5);
    await stage.pay(later[0], seller, 0.01);
    await stage.pay(seller, later[1], 1);
    await stage.follow();
    expect(await poisoning(later[0])).toBe('PASS');
  });

  it('that an address sends to whoever deals with one like it accuses it, behind whatever other dust', async () => {
    const [real, false_] = twins();
    const victim = await rich(100);
    await stage.pay(victim, real, 10);
    await stage.follow();
    // They come before the victim by their address, and in time.
    for (let n = 1; n <= 30; n++) await rows(false_, `0x${n.toString(16).padStart(40, '0')}`, 0n, 1);
    await stage.pay(false_, victim, 0);
    await stage.follow();
    const found = await on(false_);
    expect([found.verdict, found.check('address-poisoning')?.outcome]).toEqual(['FLAGGED', 'FLAG']);
    expect(await poisoning(victim)).toBe('PASS');
    for (let n = 1; n <= 200; n++) await rows(false_, next(), 0n, 1);
    expect(await poisoning(false_)).toBe('FLAG');
    for (let n = 1; n <= 200; n++) await rows(false_, next(), 1n, 1);
    expect(await poisoning(false_)).toBe('FLAG');
    await rows(next(), real, 1_000_000n, 2_000);
    expect(await poisoning(false_)).toBe('FLAG');
    // Not all is looked at that its look-alike moved, which may have dealt with whom it sent dust.
    await rows(`0x${'9'.repeat(40)}`, real, 1_000_000n, 100_000);
    expect(await poisoning(false_)).toBe('INCONCLUSIVE');
  }, 300_000);

  it('leaves nothing open for a dollar that each of many made-up addresses like it got', async () => {
    const [real, who] = twins();
    const [victim, merchant] = [await rich(50), next()];
    await stage.usdc(who, 50);
    await stage.pay(who, merchant, 5);
    await stage.follow();
    for (let n = 0; n <= 200; n++) await rows(who, next(), 0n, 1);
    for (let n = 0; n <= 100; n++) {
      const made = `${who.slice(0, 4)}${n.toString(16).padStart(33, 'a')}${who.slice(-5)}`;
      await rows(next(), made, 1_000_000n, 1);
    }
    expect(await poisoning(who)).toBe('PASS');
    // Nor do they hide the one that it imitates.
    await stage.pay(victim, real, 10);
    await stage.follow();
    await stage.pay(who, victim, 0.01);
    await stage.follow();
    for (let n = 0; n <= 200; n++) await rows(who, next(), 1n, 1);
    expect(await poisoning(who)).toBe('FLAG');
  }, 300_000);

  it('leaves nothing open of who paid cents to however many, or in whose name nothing went to as many', async () => {
    const [payer, victim, merchant] = [await rich(50), await rich(50), next()];
    for (const who of [payer, victim]) await stage.pay(who, merchant, 5);
    for (let n = 0; n <= 200; n++) {
      await stage.pay(payer, next(), 0.01);
      await inNameOf(victim, next());
    }
    await stage.follow();
    for (const who of [payer, victim])
      expect([await poisoning(who), (await on(who)).verdict]).toEqual(['PASS', 'CLEAN']);
  }, 300_000);

  it('of nothing, which anybody can send in the name of another, accuses nobody, and leaves it open', async () => {
    const [who, twin] = twins();
    const accomplice = await rich(10);
    await stage.usdc(who, 5);
    await stage.pay(accomplice, twin, 1);
    await inNameOf(who, accomplice);
    await stage.follow();
    expect(await poisoning(who)).toBe('INCONCLUSIVE');
    // A cent is nothing that another can send for it.
    await stage.pay(who, accomplice, 0.01);
    await stage.follow();
    expect(await poisoning(who)).toBe('FLAG');
  });

  it('is no check where no index is kept, and stands among what was not looked at', async () => {
    await stage.db.deleteFrom('transfer_ranges').execute();
    const { record } = await stage.on(next());
    expect(record.evidence.checks.some((c) => c.id === 'address-poisoning')).toBe(false);
    expect(record.coverage.notLookedAt).toContain(
      'whether it sends dust to be taken for somebody else on eip155:1002',
    );
    await stage.db.deleteFrom('transfers').execute();
    await stage.db.deleteFrom('transfer_blocks').execute();
    await stage.follow();
  });
});

describe('an address like the one that is asked about', () => {
  it('that sent a dollar to the asker makes nobody suspect', async () => {
    const [honest, false_] = twins();
    const asker = await rich(10);
    await stage.usdc(false_, 5);
    await stage.pay(false_, asker, 1);
    await stage.follow();
    const stranger = await on(honest, asker);
    expect([stranger.verdict, stranger.check('look-alike')?.outcome]).toEqual(['CLEAN', 'PASS']);
    await stage.pay(asker, honest, 5);
    await stage.follow();
    expect((await on(honest, asker)).verdict).toBe('CLEAN');
    expect((await on(false_, asker)).check('look-alike')?.outcome).toBe('FLAG');
  });

  it('is no reason to doubt one whom the asker paid as well, and the record does not tell of that', async () => {
    const [one, other] = twins();
    const [asker, somebody] = [await rich(20), await rich(10)];
    for (const payee of [one, other]) await stage.pay(asker, payee, 2);
    await stage.pay(somebody, next(), 2);
    await stage.follow();
    const known = await on(one, asker);
    expect([known.verdict, known.check('look-alike')?.outcome]).toEqual(['CLEAN', 'PASS']);
    expect(known.common.contacts).toEqual((await on(one, somebody)).common.contacts);
  });
});
