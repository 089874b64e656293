import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Guard, guard } from '../../../client/guard.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { CONTROLS } from './controls.ts';
import { HONEST, type Kind, type MarketStage, marketStage, type Seller } from './market-stage.ts';
import { SIGNER } from './signed-documents.ts';

const MARKET = 'api.market.test';
const KINDS: readonly Kind[] = ['fetch', 'axios'];
const CENT = 10_000n;

let stage: MarketStage;
beforeAll(async () => {
  stage = await marketStage();
});
afterEach(() => stage.close());
afterAll(() => stage?.stop());

/** The policy that every test has: the market is known, others may be paid, and all of it runs without encryption. */
async function guardWith({ records = [], ...policy }: Attack['policy'] = {}): Promise<Guard> {
  const documents = await Promise.all(records);
  return guard({ plaintext: true, lookAlikesOf: [MARKET], signer: SIGNER, records: documents, ...policy });
}

/** A host with a path, at the port of the stage. */
function urlOf(place: Attack['url']): string {
  if (typeof place !== 'string') return place(stage);
  const [host = '', ...path] = place.split('/');
  return stage.url(host, path.length === 0 ? undefined : `/${path.join('/')}`);
}

const ATTACKED = ATTACKS.flatMap((attack) =>
  (attack.kinds ?? KINDS).map((kind) => ({ kind, name: attack.name, attack })),
);
const BOUGHT = CONTROLS.flatMap((control) => KINDS.map((kind) => ({ kind, name: control.name, control })));

/** What a seller does who takes the money and serves nothing. */
const SCAMS = (
  [
    ['asks again', () => () => ({ never: true })],
    ['words it anew', (count) => () => ({ never: true, error: `asked ${count()} times` })],
    ['asks without a challenge', () => () => ({ fails: 402 })],
    ['refuses', () => () => ({ fails: 403 })],
    ['fails', () => () => ({ fails: 500 })],
    ['cuts the connection', () => () => ({ fails: 'cut' })],
    [
      'leads elsewhere each time',
      (count) =>
        ({ url }) =>
          url === '/data' ? { redirect: { to: `/to/${count()}` } } : { never: true },
    ],
  ] satisfies [string, (count: () => number) => Seller][]
).flatMap(([does, by]) =>
  KINDS.map((kind) => {
    const open = (): Seller => {
      let asked = 0;
      return by(() => ++asked);
    };
    return { does, kind, open };
  }),
);

describe('a guard before a stock client', () => {
  it('is held to at least fifty attacks and fifty controls, each of its own name', () => {
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(50);
    expect(new Set(CONTROLS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(50);
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  });

  it.each(ATTACKED)('stops by $kind: $name', async ({ kind, attack }) => {
    // Without a guard the client signs: the attack is one.
    attack.open(stage);
    const careless = stage.buyer(kind, null, attack.meddle);
    for (const place of attack.before ?? []) await careless.buy(urlOf(place));
    const given = stage.signed.length;
    await careless.buy(urlOf(attack.url), attack.how).catch(() => {});
    expect(stage.signed.length).toBe(given + 1);

    stage.close();
    attack.open(stage);
    const careful = await guardWith(attack.policy);
    const buyer = stage.buyer(kind, careful, attack.meddle && ((header) => meddling(attack, header)));
    for (const place of attack.before ?? []) await buyer.buy(urlOf(place));
    const [before, sent] = [await stage.balance(), stage.signed.length];
    const error = await buyer.buy(urlOf(attack.url), attack.how).catch((thrown) => thrown);
    const refusal = careful.refusalOf(error);
    expect([refusal?.reason, refusal?.says]).toEqual([attack.reason, expect.any(String)]);
    expect(stage.signed.length).toBe(sent);
    expect(await stage.balance()).toBe(before);
    if (attack.reason === 'payee-flagged') {
      const { verified } = refusal!.verdict!;
      expect(verified).toMatchObject({ ok: true, verdict: 'FLAGGED', signer: SIGNER });
    }
  });

  it.each(BOUGHT)('lets by $kind: $name', async ({ kind, control }) => {
    control.open(stage);
    const careful = await guardWith(control.policy);
    const buyer = stage.buyer(kind, careful);
    const before = await stage.balance();
    for (const place of control.urls) await buyer.buy(urlOf(place), control.how);
    expect(careful.refusals).toEqual([]);
    expect(await stage.balance()).toBeLessThan(before);
  });

  it.each(KINDS)('lets no more through at the same time than is left, by %s', async (kind) => {
    stage.open(MARKET, () => ({}));
    const careful = await guardWith({ budgetUsd: 0.03 });
    const before = await stage.balance();
    const bought = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        stage.buyer(kind, careful).buy(stage.url(MARKET, `/at-once-${i}`)),
      ),
    );
    expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(before - (await stage.balance())).toBe(3n * CENT);
    expect(new Set(careful.refusals.map(({ reason }) => reason))).toEqual(new Set(['over-budget']));
  });

  it.each(SCAMS)('does not pay twice a seller who was paid and $does, by $kind', async ({ kind, open }) => {
    stage.open(MARKET, open());
    const careful = await guardWith();
    const buyer = stage.buyer(kind, careful);
    const before = await stage.balance();
    for (let i = 0; i < 3; i++) await buyer.buy(stage.url(MARKET)).catch(() => {});
    expect(before - (await stage.balance())).toBe(CENT);
    expect(careful.refusals.map(({ reason }) => reason)).toEqual(['paid-already', 'paid-already']);
  });

  it.each(KINDS)(
    'lets a payment that brought nothing be sent until it does, and pays on then, by %s',
    async (kind) => {
      let failed = 0;
      stage.open(MARKET, () => ({ fails: failed++ < 3 ? 500 : undefined }));
      const careful = await guardWith();
      const buyer = stage.buyer(kind, careful);
      const url = stage.url(MARKET);
      await expect(buyer.buy(url)).rejects.toThrow('500');
      await expect(buyer.buy(url)).rejects.toThrow('paid-already');
      const headers = { 'payment-signature': btoa(JSON.stringify(stage.signed.at(-1))) };
      expect((await careful.fetch(url, { headers })).status).toBe(200);
      await buyer.buy(url);
    },
  );

  it('pays a seller who was paid and asks again after a minute, or once somebody has looked', async () => {
    stage.open(MARKET, (_, times) => ({ never: times === 0 }));
    let seconds = 0;
    const careful = await guardWith({ now: () => Date.now() + seconds * 1_000 });
    const buyer = stage.buyer('fetch', careful);
    const url = stage.url(MARKET);
    await expect(buyer.buy(url)).rejects.toThrow('402');
    await expect(buyer.buy(url)).rejects.toThrow('paid-already');
    seconds = 61;
    await buyer.buy(url);

    stage.close();
    stage.open(MARKET, (_, times) => ({ never: times === 0 }));
    await expect(buyer.buy(url)).rejects.toThrow('402');
    careful.forget(url);
    await buyer.buy(url);
  });

  it('takes a new price and a new payee once somebody has looked', async () => {
    stage.open(MARKET, (_, times) => (times === 0 ? {} : { accepts: [{ amount: '90000' }] }));
    const careful = await guardWith();
    const buyer = stage.buyer('fetch', careful);
    await buyer.buy(stage.url(MARKET));
    await expect(buyer.buy(stage.url(MARKET))).rejects.toThrow('price-drift');
    careful.forget(stage.url(MARKET));
    await buyer.buy(stage.url(MARKET));
  });

  it('counts what it lets through against the day, and no longer', async () => {
    stage.open(MARKET, () => ({}));
    let hours = 0;
    const careful = await guardWith({ budgetUsd: 0.01, now: () => Date.now() + hours * 3_600_000 });
    const buyer = stage.buyer('fetch', careful);
    await buyer.buy(stage.url(MARKET));
    await expect(buyer.buy(stage.url(MARKET))).rejects.toThrow('over-budget');
    hours = 25;
    await buyer.buy(stage.url(MARKET));
  });

  it('judges a client that nobody watches by what the challenge says', async () => {
    stage.open(MARKET, () => ({}));
    const { port } = stage;
    const careful = await guardWith({ payees: { [MARKET]: [HONEST] } });
    const challenge = (url: string) => ({ x402Version: 2, resource: { url }, accepts: [REQUIREMENT] });
    let hook: (context: object) => Promise<unknown> = async () => null;
    careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
    const asked = (url: string) =>
      hook({ paymentRequired: challenge(url), selectedRequirements: REQUIREMENT });
    expect(await asked(`http://${MARKET}:${port}/data`)).toBeUndefined();
    expect(await asked('http://api.rnarket.test/data')).toMatchObject({ abort: true });
    expect(await asked('no URL')).toMatchObject({ abort: true });
  });

  it('takes no record as proof before it is told whose records count', () => {
    expect(() => guard({ records: [{}] })).toThrow(TypeError);
  });
});

const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', payTo: HONEST, maxTimeoutSeconds: 60 },
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

function meddling({ meddle }: Attack, header: string): string {
  return meddle?.(header) ?? header;
}
