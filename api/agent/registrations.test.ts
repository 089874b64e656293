import { describe, expect, it } from 'vitest';
import { registrationsDocument } from './registrations.ts';

const GOOD_MS = 60_000;

/** The list over a store of so many agents. */
function stage(count: number) {
  const stored = new Set(Array.from({ length: count }, (_, i) => BigInt(i + 1)));
  const asked: bigint[] = [];
  let now = 0;
  let fails = false;
  const document = registrationsDocument({
    collection: { chainId: 1002, contract: '0xnft' },
    tokensAbove: async (above) => {
      asked.push(above);
      if (fails) throw new Error('the database is away');
      return [...stored].filter((id) => id > above).sort((a, b) => Number(a - b));
    },
    now: () => new Date(now),
    goodMs: GOOD_MS,
  });
  return {
    stored,
    asked,
    pass: () => {
      now += GOOD_MS;
    },
    fail: (is: boolean) => {
      fails = is;
    },
    named: async () => {
      const { registrations } = JSON.parse(String((await document()).bytes));
      return registrations.map(({ agentId }: { agentId: number }) => agentId);
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('the list of every agent', () => {
  it('is read once for all who ask within a minute', async () => {
    const { asked, named } = stage(3);
    const answers = await Promise.all([named(), named(), named()]);
    expect([...answers, await named()]).toEqual([upTo(3), upTo(3), upTo(3), upTo(3)]);
    expect(asked).toEqual([-1n]);
  });

  it('is empty where there is none', async () => {
    expect(await stage(0).named()).toEqual([]);
  });

  it('is read from near its end after that', async () => {
    const { stored, asked, named, pass } = stage(2_500);
    await named();
    for (const id of [2_501n, 2_502n]) stored.add(id);
    pass();
    expect(await named()).toEqual(upTo(2_502));
    pass();
    expect(await named()).toEqual(upTo(2_502));
    expect(asked).toEqual([-1n, 1_500n, 1_502n]);
  });

  it('names an agent that is stored after a later one, and none whose mint a reorg removed', async () => {
    const { stored, named, pass } = stage(2_500);
    stored.delete(2_000n);
    await named();
    stored.add(2_000n);
    stored.delete(2_500n);
    pass();
    expect(await named()).toEqual(upTo(2_499));
  });

  it('is read anew when it could not be read', async () => {
    const { named, fail } = stage(2);
    fail(true);
    await expect(named()).rejects.toThrow('away');
    fail(false);
    expect(await named()).toEqual([1, 2]);
  });
});
