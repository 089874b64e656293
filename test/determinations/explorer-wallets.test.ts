import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import type { Indexed } from '../fixtures/servers/explorer.ts';
import { explorerStage } from '../fixtures/wallets/explorer-stage.ts';

/** A wallet on a chain whose history an explorer tells: a stranger's server, which may leave out or make up. */

const ETHER = 10n ** 18n;
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
let stage: Awaited<ReturnType<typeof explorerStage>>;
/** A fresh address. */
let fresh = 0xe0_000;
const next = (): string => address(fresh++);
const [BAD, GOOD, JUNK_FROM] = [0xbad1, 0x600d, 0x7aa].map(address) as [string, string, string];

beforeAll(async () => {
  stage = await explorerStage();
  for (const who of [BAD, GOOD]) await stage.rpc('anvil_setBalance', who, toHex(10n ** 24n));
});
beforeEach(async () => {
  await stage.list('sanctions', [address(0x111)]);
  await stage.list('known-scam', [BAD]);
  await stage.holds(0n);
});
afterEach(() => {
  stage?.explorer.misbehave(() => false);
});
afterAll(() => stage?.stop());

describe.each(['etherscan', 'blockscout'] as const)('an explorer of the shape of %s', (shape) => {
  const on = (who: string, depth?: Depth) => stage.on(who, shape, depth);

  it('tells of money from a listed address, over two hops', async () => {
    const [between, who, other] = [next(), next(), next()];
    await stage.give(BAD, between, 2n * ETHER);
    await stage.give(between, who, ETHER);
    await stage.give(GOOD, other, ETHER);
    expect((await on(who)).verdict).toBe('FLAGGED');
    expect((await stage.on(who, null)).verdict).toBe('CLEAN');
    expect((await on(other)).verdict).toBe('CLEAN');
  });

  it('that fails leaves it open, and says how it failed', async () => {
    stage.explorer.misbehave((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    const failed = await on(next());
    expect([failed.verdict, failed.check('transfers')?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(failed.check('transfers')?.detail).toContain('HTTP 503');
  });

  /** Not CLEAN, and why. */
  async function expectOpen(who: string, why: RegExp): Promise<void> {
    for (const depth of ['2-of-2', 'superconsensus'] as const) {
      const found = await on(who, depth);
      expect([found.verdict, found.check('transfers')]).toEqual([
        'FLAGGED',
        expect.objectContaining({ outcome: 'INCONCLUSIVE', detail: expect.stringMatching(why) }),
      ]);
    }
  }

  it('that leaves out what came in is found out by the balance', async () => {
    const [who, spender] = [next(), next()];
    await stage.give(BAD, who, ETHER);
    await stage.give(BAD, spender, ETHER);
    await stage.give(spender, GOOD, ETHER / 2n);
    hide((m) => m.from === BAD);
    await expectOpen(who, /lists less of the native currency than came in/);
    await expectOpen(spender, /lists less of the native currency than came in/);
  });

  it('that leaves out what was paid to a listed address is found out by the nonce', async () => {
    const who = next();
    await stage.give(GOOD, who, ETHER);
    await stage.give(who, BAD, ETHER / 2n);
    expect((await on(who)).verdict).toBe('FLAGGED');
    hide((m) => m.to === BAD);
    await expectOpen(who, /lists 0 transactions of the 1 that were sent/);
  });

  it('that makes up income, so that a listed part looks small, is found out by the balance', async () => {
    const who = next();
    await stage.give(GOOD, who, ETHER);
    stage.explorer.movements.push({
      block: 9,
      token: null,
      from: GOOD,
      to: who,
      amount: 99n * ETHER,
    });
    await expectOpen(who, /lists more of the native currency than came in/);
  });

  it('that leaves out dollars is found out by the balance', async () => {
    const who = next();
    stage.explorer.movements.push({ block: 9, token: stage.dollar, from: BAD, to: who, amount: 50_000_000n });
    await stage.holds(50_000_000n);
    expect((await on(who)).check('transfers')?.outcome).toBe('FLAG');
    hide((m) => m.to === who);
    await expectOpen(who, /do not add up to the balance/);
  });

  it('tells who deployed a contract, and the chain shows whether that is so', async () => {
    const maker = next();
    const { address: made, block } = await stage.deploy(maker);
    const told = await on(made);
    expect([told.verdict, told.check('principals')?.detail]).toEqual([
      'CLEAN',
      expect.stringMatching(new RegExp(`${maker} is the deployer \\(the explorer .*, block ${block}\\)`)),
    ]);
    await stage.list('known-scam', [BAD, maker]);
    expect((await on(made)).check('principals')?.outcome).toBe('FLAG');
    // The listed deployer is hidden behind another name, then behind another transaction, then behind one of nobody.
    stage.explorer.creators.set(made, GOOD);
    await expectOpen(made, /says that .*600d deployed it, and the chain/);
    const other = await stage.deploy(GOOD);
    stage.explorer.creations.set(made, stage.explorer.creations.get(other.address)!);
    await expectOpen(made, /says that it was deployed in block/);
    stage.explorer.creations.set(made, `0x${'77'.repeat(32)}`);
    await expectOpen(made, /which the chain does not have/);
    stage.explorer.creators.delete(made);
    expect((await on(made)).coverage.notLookedAt).toContain('who deployed it on eip155:8453');
  });

  it('that lists only a part of a payer’s history leaves open what came from there', async () => {
    const [mule, who, helper] = [next(), next(), next()];
    const worthless = (many: number, block: number) => {
      const one = { block, token: null, from: helper, to: mule, amount: 1n };
      stage.explorer.movements.push(...Array.from({ length: many }, () => one));
    };
    worthless(1_100, 1);
    await stage.give(BAD, mule, 2n * ETHER);
    await stage.give(mule, who, ETHER);
    worthless(10_100, stage.explorer.movements.at(-1)!.block);
    await expectOpen(who, new RegExp(`by way of ${mule}`));
  });

  /** Worthless movements, of a token that anybody can make or of the native currency, after all others. */
  function junk(to: string, token: string | null = address(0x7a9)): void {
    const block = stage.explorer.movements.reduce((latest, m) => Math.max(latest, m.block), 0);
    const one = { block, token, from: JUNK_FROM, to, amount: 1n };
    stage.explorer.movements.push(...Array.from({ length: 10_100 }, () => one));
  }
  afterEach(() => hide((m) => m.from === JUNK_FROM));

  it('hides no dollars of a listed address behind worthless tokens, however many', async () => {
    const who = next();
    stage.explorer.movements.push({ block: 9, token: stage.dollar, from: BAD, to: who, amount: 50_000_000n });
    await stage.holds(50_000_000n);
    junk(who);
    const found = await on(who);
    expect([found.verdict, found.check('transfers')?.outcome]).toEqual(['FLAGGED', 'FLAG']);
  });

  it('keeps no dollars that moved nothing in an address’s name, nor hides behind them whose money it has', async () => {
    const [who, victim] = [next(), next()];
    const dollars = { block: 9, token: stage.dollar, amount: 50_000_000n };
    stage.explorer.movements.push({ ...dollars, from: BAD, to: who }, { ...dollars, from: GOOD, to: victim });
    await stage.holds(50_000_000n);
    for (const own of [who, victim])
      for (let n = 0; n < (shape === 'etherscan' ? 10_100 : 1_100); n++)
        stage.explorer.movements.push({
          ...dollars,
          block: 10 + (n % 90),
          from: own,
          to: JUNK_FROM,
          amount: 0n,
        });
    for (const [own, outcome] of [[who, 'FLAG'] as const, [victim, 'PASS'] as const]) {
      const found = await on(own);
      expect(found.check('transfers')?.outcome).toBe(outcome);
      const [history] = (found.gathered.common as WalletCommon).transfers!.histories;
      expect([history?.cutOff, history?.flows.filter((f) => f.of === own).map((f) => f.way)]).toEqual([
        null,
        ['in'],
      ]);
    }
    hide((m) => m.to === JUNK_FROM);
  });

  it('makes nobody doubtful whose payer was sent worthless tokens', async () => {
    const [payer, who] = [next(), next()];
    await stage.give(GOOD, payer, 2n * ETHER);
    await stage.give(payer, who, ETHER);
    junk(payer);
    junk(who);
    for (const depth of ['2-of-2', 'superconsensus'] as const)
      expect((await on(who, depth)).verdict).toBe('CLEAN');
  });

  it('that lists only a part of what the address itself moved leaves it open, unless it is an exchange', async () => {
    const who = next();
    await stage.give(BAD, who, ETHER);
    junk(who, null);
    await expectOpen(who, /lists only a part of its history on eip155:8453/);
    const found = await on(who);
    expect(found.check('chain-policy')).toMatchObject({
      outcome: 'INCONCLUSIVE',
      detail: expect.stringContaining('eip155:8453: direct-transfers'),
    });
    await stage.list('labels', [who], { kind: 'exchange' });
    for (const depth of ['2-of-2', 'superconsensus'] as const)
      expect((await on(who, depth)).verdict).toBe('CLEAN');
    await stage.list('labels', [address(0x112)], { kind: 'exchange' });
  });

  it('that calls a listed address by another name changes nothing', async () => {
    const who = next();
    await stage.give(BAD, who, ETHER);
    stage.explorer.labels.set(BAD, 'Coinbase: hot wallet');
    stage.explorer.labels.set(who, 'Treasury');
    expect((await on(who)).verdict).toBe('FLAGGED');
    expect((await stage.on(BAD, shape)).hardFlags).toContain('list-known-scam');
    stage.explorer.labels.clear();
  });

  it('tells enough of a long history for the model of behaviour to speak', async () => {
    const [who, shop] = [next(), next()];
    for (let n = 1; n <= 6; n++) await stage.give(shop, who, ETHER);
    for (let n = 1; n <= 5; n++) await stage.give(who, address(0x5_0000 + n), ETHER / 10n);
    const found = await on(who);
    const common = found.gathered.common as WalletCommon;
    expect(common.transfers?.histories[0]?.behaviour).toMatchObject({
      ...{ sent: 5, received: 6, uniqueFrom: 1, uniqueTo: 5, complete: true },
      ...{ maxReceived: Number(ETHER), avgSent: Number(ETHER / 10n) },
    });
    const check = found.check('behaviour')!;
    expect(check.detail).toMatch(
      /^-?\d+\.\d\d on eip155:8453, a probability of .*; the statistics flag from/,
    );
    expect(check.sources[0]?.limit).toContain('collected otherwise');
    expect(found.verdict).toBe('CLEAN');
  });

  function hide(which: (m: Indexed) => boolean): void {
    const kept = stage.explorer.movements.filter((m) => !which(m));
    stage.explorer.movements.splice(0, stage.explorer.movements.length, ...kept);
  }
});
