import { keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/**
 * Ordinary wallets and contracts on a real chain, new ones and busy ones. An accusation of one is a fault of the service:
 * at most one in a hundred may be accused, and none for being new.
 */

const EACH = 125;
const DEPTHS: readonly Depth[] = ['1-of-1', '2-of-2', 'superconsensus'];
const LISTED = drawn('listed');
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));

let stage: Awaited<ReturnType<typeof walletStage>>;

/** Some code of its own, of a length of its own, in which any byte may stand. */
const someCode = (n: number): string =>
  `0x6080604052${Array.from({ length: 1 + (n % 9) }, (_, i) => keccak256(toHex(`${n} ${i}`)).slice(2)).join('')}`;

/** How one of each kind is made; `n` tells them apart. */
const KINDS: Readonly<Record<string, (who: string, n: number) => Promise<unknown>>> = {
  'new wallets': async () => {},
  'wallets with a past': (who, n) => stage.rpc('anvil_setNonce', who, toHex(n + 1)),
  'new contracts': (who, n) => stage.code(who, someCode(n)),
  'minimal proxies of others’ code': (who, n) =>
    stage.code(
      who,
      `0x363d3d373d3d3d363d73${drawn(`logic ${n % 7}`).slice(2)}5af43d82803e903d91602b57fd5bf3`,
    ),
  'proxies that an admin may change': async (who, n) => {
    await stage.code(who, '0x6080604052');
    await stage.slot(who, 'implementation', drawn(`logic ${n % 7}`));
    await stage.slot(who, 'admin', drawn(`admin ${n % 5}`));
  },
  'wallets that delegate to a known wallet code': async (who, n) => {
    const delegate = drawn(`smart account ${n % 3}`);
    await stage.code(delegate, someCode(n % 3));
    await stage.code(who, `0xef0100${delegate.slice(2)}`);
  },
  'wallets that were paid': (who, n) => stage.usdc(who, 5 + n),
  'wallets that got dust of a listed address': async (who, n) => {
    await stage.usdc(who, 50 + n);
    await stage.pay(LISTED, who, 0.01);
  },
  'wallets that got a few dollars of a listed address, and nothing else': (who, n) =>
    stage.pay(LISTED, who, 1 + (n % 8)),
};

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('sanctions', FILL);
  await stage.list('known-scam', [...FILL, LISTED]);
  await stage.usdc(LISTED, 2_000);
  for (let n = 0; n < 7; n++) await stage.code(drawn(`logic ${n}`), someCode(n));
}, 240_000);
afterAll(() => stage?.stop());

describe('ordinary wallets', () => {
  const found: string[] = [];
  /** What the adversary says of those that were asked about at superconsensus. */
  const adversary: string[] = [];

  it.each(Object.keys(KINDS))(
    'are not accused: %s',
    async (kind) => {
      const make = KINDS[kind]!;
      const all = Array.from({ length: EACH }, (_, n) => drawn(`${kind} ${n}`));
      for (const [n, who] of all.entries()) await make(who, n);
      for (const [n, who] of all.entries()) {
        const { evidence } = await stage.on(who, DEPTHS[n % 3]!);
        const { verdict, reasons, panel } = judge(evidence.determinations[0]!);
        found.push(verdict);
        adversary.push(...panel.votes.filter((v) => v.method === 'adversarial').map((v) => v.vote));
        if (verdict !== 'CLEAN' && found.filter((v) => v !== 'CLEAN').length < 4)
          process.stdout.write(`${kind}: ${verdict}: ${reasons.join('; ').slice(0, 300)}\n`);
      }
    },
    300_000,
  );

  it('are a thousand, of which at most one in a hundred is accused', () => {
    const accused = found.filter((v) => v === 'FLAGGED').length;
    const unclear = found.filter((v) => v === 'INCONCLUSIVE').length;
    process.stdout.write(`${found.length} benign wallets: ${accused} accused, ${unclear} not judged\n`);
    expect(found.length).toBeGreaterThanOrEqual(1_000);
    expect(accused).toBeLessThanOrEqual(found.length / 100);
    expect(unclear).toBeLessThanOrEqual(found.length / 100);
    const denied = adversary.filter((v) => v === 'FLAGGED').length;
    process.stdout.write(`${adversary.length} at superconsensus: the adversary denies ${denied}\n`);
    expect(adversary.length).toBeGreaterThan(300);
    expect(denied).toBeLessThanOrEqual(adversary.length / 100);
  });
});
