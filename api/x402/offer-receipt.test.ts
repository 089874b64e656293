import type { PaymentRequirements } from '@x402/core/types';
import { expect, it } from 'vitest';
import { seedKeys } from '../../chain/keys/seeds.ts';
import { verdictKey } from '../../runtime/records/portable/verdict-key.ts';
import { offerSigner } from './offer-receipt.ts';

const ACCEPTS = [
  {
    ...{ scheme: 'exact', network: 'eip155:1002', amount: '10000', maxTimeoutSeconds: 300, extra: {} },
    ...{ asset: `0x${'a'.repeat(40)}`, payTo: `0x${'b'.repeat(40)}` },
  },
] satisfies PaymentRequirements[];

function stage() {
  const key = verdictKey(seedKeys(`0x${'5e'.repeat(32)}`));
  const at = { ms: Date.parse('2026-11-21T16:00:00Z'), signed: 0 };
  const counted: typeof key = {
    ...key,
    sign(data) {
      at.signed += 1;
      return key.sign(data);
    },
  };
  const { offers } = offerSigner({ key: counted, baseUrl: 'https://a.test', now: () => new Date(at.ms) });
  /** How many offers are signed when these addresses are asked for. */
  const signed = async (...paths: readonly string[]): Promise<number> => {
    const before = at.signed;
    for (const path of paths) await offers(`https://a.test/${path}`, ACCEPTS);
    return at.signed - before;
  };
  return { at, signed };
}

it('signs an offer once a minute, however many ask for it', async () => {
  const { at, signed } = stage();
  expect(await signed('x', 'x', 'y')).toBe(2);
  at.ms += 59_999;
  expect(await signed('x')).toBe(0);
  at.ms += 1;
  expect(await signed('x', 'x')).toBe(1);
});

it('forgets the oldest alone where more are asked for than it keeps', async () => {
  const { signed } = stage();
  const many = Array.from({ length: 501 }, (_, n) => `x?n=${n}`);
  expect(await signed(...many)).toBe(501);
  expect(await signed(many[500]!, many[1]!)).toBe(0);
  expect(await signed(many[0]!)).toBe(1);
});

it('keeps no long address', async () => {
  const { signed } = stage();
  const long = `x?q=${'a'.repeat(2_000)}`;
  expect(await signed(long, long)).toBe(2);
});
