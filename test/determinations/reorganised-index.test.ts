import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followMoney } from '../../runtime/determinations/evidence/shill/bidder-money.ts';
import { readFunding } from '../../runtime/determinations/evidence/shill/funding.ts';
import { walletStage } from '../fixtures/wallets/wallet-stage.ts';

/**
 * The index of transfers follows a chain some seconds behind it. Where the chain went another way in between, the index
 * tells of blocks that are on no chain, and lacks those in their place: nothing may be CLEAN by it.
 */

let stage: Awaited<ReturnType<typeof walletStage>>;
let fresh = 0xe00_000;
const next = (): `0x${string}` => `0x${(fresh++).toString(16).padStart(40, '0')}`;
const bad = next();

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('sanctions', [bad]);
  await stage.list('known-scam', [next()]);
  await stage.usdc(bad, 1_000);
  await stage.follow();
});
afterAll(() => stage?.stop());

/** Lets the index follow some blocks, in whose place others then stand. */
async function reorganised(otherwise: () => Promise<void>): Promise<void> {
  const snapshot = await stage.rpc('evm_snapshot');
  await stage.rpc('anvil_mine', '0x6');
  await stage.follow();
  await stage.rpc('evm_revert', snapshot);
  await otherwise();
  await stage.rpc('anvil_mine', '0x6');
}

/** What its transfers are taken for, and whether it is CLEAN. */
async function transfersOf(who: string): Promise<[outcome: string | undefined, isClean: boolean]> {
  const { record } = await stage.on(who);
  const { outcome } = record.evidence.checks.find(({ id }) => id === 'transfers')!;
  return [outcome, record.verdict === 'CLEAN'];
}

describe('an index of transfers whose blocks are on the chain no more', () => {
  it('makes no wallet CLEAN that a listed address paid in their place, until it follows', async () => {
    const who = next();
    // What it has is what it had before, so that its balance tells of nothing.
    await reorganised(async () => {
      await stage.pay(bad, who, 50);
      await stage.pay(who, next(), 50);
    });
    expect(await transfersOf(who)).toEqual(['INCONCLUSIVE', false]);
    await stage.follow();
    expect(await transfersOf(who)).toEqual(['FLAG', false]);
  });

  it('says neither who paid both sides of a deal nor whose money bidders have', async () => {
    await reorganised(async () => {});
    const { deployment } = stage.chain;
    const readers = stage.deps.readers.get(1002)!;
    const { number } = await readers.viem.head();
    const sides = { buyer: [next()], seller: [next()] };
    for (const reader of [readers.viem, readers.ethers])
      await expect(
        readFunding(stage.db, reader, deployment, sides, number, new Date()),
      ).rejects.toMatchObject({
        kind: 'reorganised',
      });
    const asked = { chainId: 1002, sides: [{ name: 'bidder', addresses: [next()] }] };
    expect(await followMoney(stage.deps, asked)).toEqual({ fault: expect.stringMatching(/reorgani|now/) });
    await stage.follow();
    expect(await readFunding(stage.db, readers.viem, deployment, sides, number, new Date())).toMatchObject({
      returned: [],
    });
    expect(await followMoney(stage.deps, asked)).toMatchObject({ payments: [] });
  });

  it('is no index where the block up to which it was read is not known', async () => {
    await stage.follow();
    const who = next();
    expect(await transfersOf(who)).toEqual(['PASS', true]);
    await stage.db.deleteFrom('transfer_blocks').execute();
    expect(await transfersOf(who)).toEqual(['INCONCLUSIVE', false]);
  });
});
