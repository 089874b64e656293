import fc from 'fast-check';
import { expect } from 'vitest';
import { type PaymentStage, shop } from '../fixtures/paid-service.ts';
import { type Answer, ask, send } from '../fixtures/wallets/payers.ts';
import { type Den, type Forgery, forge, forgeries, honest, type Target } from './forgeries.ts';

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const wallet = (digits: string): string => `0x${digits.padStart(40, '0')}`;
/** All of one price, so that a payment for one would buy any other, were it not bound. */
const TARGETS: readonly Target[] = [
  { path: `/determination?address=${wallet('aa')}` },
  { path: `/determination?address=${wallet('bb')}` },
  { path: '/determinations/tier2/real-world-assets', init: json({ priceUsd: 1 }) },
  { path: '/determinations/tier2/real-world-assets', init: json({ priceUsd: 2 }) },
];
const DEARER: Target = { path: `/determination?address=${wallet('aa')}&transactionUsd=5000` };

/**
 * Sends that many forged payments to a real gate over a real facilitator and real chains, a few at a time, and expects
 * each to be refused, no work to be done, no row to be written and no money to move.
 * @returns how often each kind was tried
 */
export async function refuseAll(
  stage: PaymentStage,
  { count, seed, at }: { count: number; seed: number; at: number },
): Promise<Map<Forgery['kind'], number>> {
  const open = await shop(stage, { limits: { reads: 1_000_000_000, writes: 1_000_000_000 } });
  try {
    const payers = [await stage.payer(), await stage.payer()] as const;
    const url = ({ path }: Target): string => open.url + path;
    const challenges = [];
    for (const target of TARGETS) challenges.push(await ask(url(target), target.init));
    const keys = [payers[0].privateKey, payers[1].privateKey] as const;
    const bare = { targets: TARGETS, dearer: DEARER, challenges, payers: keys };
    const pay = async (target: number, accept: number): Promise<Den['settled'][number]> => {
      const payment = await honest(bare, keys[0], target, accept);
      expect((await send(url(TARGETS[target]!), payment, TARGETS[target]!.init)).status).toBe(200);
      return { payment, target };
    };
    const settled = [];
    const carried = [];
    for (let i = 0; i < TARGETS.length; i++) {
      settled.push(await pay(i, i % 2));
      const payment = await honest(bare, keys[0], i, i % 2);
      const { accepted, payload } = payment;
      expect(await stage.facilitator.settle({ x402Version: 2, accepted, payload }, accepted)).toMatchObject({
        success: true,
      });
      carried.push(payment);
    }
    const den: Den = { ...bare, settled, carried };

    const state = async () => ({
      runs: open.runs(),
      received: [await open.received(1002), await open.received(84532)],
      held: await Promise.all(payers.flatMap((p) => [1002, 84532].map((id) => stage.usdcOf(id, p.address)))),
      rows: await stage.database.db
        .selectFrom('payments')
        .select(['payment_id', 'status', 'updated_at'])
        .orderBy('payment_id')
        .execute(),
    });
    const before = await state();
    const tried = new Map<Forgery['kind'], number>();
    const sample = fc.sample(forgeries(TARGETS.length), { numRuns: count, seed });
    let next = 0;
    const forger = async (): Promise<void> => {
      while (next < sample.length) {
        const forgery = sample[next++]!;
        const { payment, to } = await forge(den, forgery);
        const { status, code, text, receipt } = await told(() => send(url(to), payment, to.init ?? {}));
        const seen = { forgery, seed, status, code, receipt, ran: text.includes('"runs"') };
        expect(seen).toEqual({ ...seen, status: 402, code: 'payment-invalid', receipt: null, ran: false });
        tried.set(forgery.kind, (tried.get(forgery.kind) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: at }, forger));
    expect(await state()).toEqual(before);

    // And none of it was refused for want of a door that opens: what is good goes through, on each target and chain.
    for (let i = 0; i < TARGETS.length * 2; i++) await pay(i % TARGETS.length, i < TARGETS.length ? 0 : 1);
    expect(open.runs()).toBe(before.runs + TARGETS.length * 2);
    return tried;
  } finally {
    await open.stop();
  }
}

/** Asks again while nobody can say what a payment is worth: a node that is late, not an answer. */
async function told(once: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await once();
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
