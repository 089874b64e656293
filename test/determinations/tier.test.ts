import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetKey, spelledAsset } from '../../agents/assets.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { makeRecord } from '../../agents/records/record.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier, readTierFacts, type TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { tierDraft } from '../../runtime/determinations/drafts.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const NOW = new Date('2026-11-21T08:00:00Z');
const CONTRACT = `0x${'Ab'.repeat(20)}`;
const KEY = `eip155:1002/erc721:${CONTRACT.toLowerCase()}/17`;
const ASSET = { chainId: 1002, contract: CONTRACT, tokenId: '0x11' };

let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
let market: ReturnType<typeof marketStage>;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
  deps = { db: database.db, readers: new Map(), deployments: new Map(), now: () => NOW };
  await pledge('pl_1', KEY, 'elsewhere-1', null);
  await pledge('pl_2', 'serial:generic:WVWZZZ1JZ3W386752', 'elsewhere-2', null);
  await pledge('pl_4', 'serial:imei:490154203237518', 'elsewhere-4', null);
  await pledge('pl_5', 'serial:generic:PENGUIN:0306406152', 'elsewhere-5', null);
  await pledge('pl_6', 'serial:generic:ACME:35209900176148', 'elsewhere-6', null);
  await pledge('pl_3', 'serial:generic:GONE1', 'elsewhere-3', new Date(NOW.getTime() - 1000));
});

afterAll(async () => {
  await database?.drop();
});

async function pledge(id: string, assetKey: string, listingRef: string, until: Date | null): Promise<void> {
  await database.db
    .insertInto('pledges')
    .values({
      id,
      asset_key: assetKey,
      listing_ref: listingRef,
      wallet: '0xw',
      lender: null,
      until,
      source: 'operator',
      proven: true,
      released_at: null,
    })
    .execute();
}

const tier2 = (facts: TierFacts, depth: '1-of-1' | '2-of-2' | 'superconsensus' = '2-of-2') =>
  determineTier(deps, { tier: 'tier2', category: 'real-world-assets', facts, depth, priceUsd: 0.01 });

const tier3 = (facts: TierFacts) =>
  determineTier(deps, { tier: 'tier3', category: 'real-world-assets', facts, depth: '2-of-2' });

describe('double pledge in a tier', () => {
  it('flags an asset pledged under another reference, however it is spelled, and names that reference', async () => {
    for (const asset of [ASSET, { contract: CONTRACT.toLowerCase(), tokenId: '017' }]) {
      const { record, hardFlags } = await tier2({ asset, listingRef: 'mine' });
      expect(record).toMatchObject({ verdict: 'FLAGGED', flagged: ['double-pledge'], priceUsd: 0.01 });
      const claim = record.determinations[0]?.checks.find((c) => c.id === 'other-live-claim');
      expect(claim?.detail).toContain('elsewhere-1');
      expect(hardFlags).toEqual(['double-pledge/other-live-claim']);
    }
  });

  it('is CLEAN for the reference that holds the pledge, and for an asset nobody pledged', async () => {
    const both = [
      { asset: { serial: 'gone-1' }, listingRef: 'elsewhere-3' },
      { asset: { serial: 'free-1' }, listingRef: 'mine' },
    ];
    for (const facts of both) expect((await tier2(facts)).record.verdict).toBe('CLEAN');
  });

  it('is INCONCLUSIVE for a token on a chain that is not read, and says so', async () => {
    const { record } = await tier2({ asset: { ...ASSET, tokenId: '18' }, listingRef: 'mine' });
    expect(record.inconclusive).toEqual(['double-pledge', 'double-pledge/token-held']);
    expect(record.determinations[0]?.checks[0]).toMatchObject({
      id: 'token-held',
      detail: expect.stringContaining('no RPC URL is configured'),
    });
  });

  it('cannot say whose a pledge is when no listing is named', async () => {
    const { record } = await tier2({ asset: ASSET });
    expect(record).toMatchObject({ verdict: 'FLAGGED', flagged: [] });
    expect(record.inconclusive).toContain('double-pledge');
  });

  it('holds no listing against a buyer who says who it is, and does against whoever would sell the thing too', async () => {
    const handle = await market.agent('honest-seller');
    await market.list(handle, { asset: spelledAsset({ serial: 'listed-1' }).asset });
    const proposal = { category: 'real-world-assets', priceUsd: '12.50' } as const;
    const claimBy = async (asker: string, side: 'buy' | 'sell') => {
      const facts = { asset: { serial: 'listed-1' }, handle: asker, proposal: { ...proposal, side } };
      const { record } = await tier2(facts);
      const checks = record.determinations.flatMap((d) => d.checks);
      return checks.find((c) => c.id === 'other-live-claim')?.outcome;
    };
    expect(await claimBy('a-buyer', 'buy')).toBe('PASS');
    expect(await claimBy('a-thief', 'sell')).toBe('FLAG');
    expect(await claimBy(handle, 'sell')).toBe('PASS');
  });

  it('finds the same serial under another kind, and a pledge whose date is past and that nobody released', async () => {
    expect(
      (await tier2({ asset: { serial: 'wvwzzz1jz3w386752' }, listingRef: 'mine' })).record.flagged,
    ).toEqual(['double-pledge']);
    const hidden = [
      ...[{ serial: 'WVWZZZ1JZ3W386752', maker: 'Volkswagen' }],
      ...[{ serial: 'WVWZZZIJZ3W386752', maker: 'Seat' }, { serial: 'Audi: WVWZZZIJZ3W386752' }],
      ...[
        { serial: '490154203237518', maker: 'Acme' },
        { serial: '49015420323751', maker: 'Acme' },
      ],
      ...[{ serial: '4901542032375101', maker: 'Acme' }, { serial: '490154203237518 (phone)' }],
      ...[{ serial: '978-0-306-40615-7' }, { serial: '352099001761481' }],
    ];
    for (const asset of hidden) {
      const { record } = await tier2({ asset, listingRef: 'mine' });
      expect([asset, record.flagged]).toEqual([asset, ['double-pledge']]);
    }
    const overdue = await tier2({ asset: { serial: 'gone-1' }, listingRef: 'mine' });
    expect(overdue.record.flagged).toEqual(['double-pledge']);
    expect(overdue.record.determinations[0]?.checks[0]?.detail).toMatch(/overdue since .*, not released/);
  });
});

describe('double pledge of a number that two makers gave', () => {
  const claimOn = (serial: string, maker: string) => claimOnAsset({ serial, maker });
  const claimOnAsset = async (asset: TierFacts['asset']) => {
    const { record } = await tier2({ asset, listingRef: 'mine' });
    const [checked] = record.determinations
      .flatMap((d) => d.checks)
      .filter((c) => c.id === 'other-live-claim');
    return [record.flagged, checked?.outcome, checked?.detail];
  };
  it('is open, and says so of the other maker; of a standard’s number it is FLAGGED', async () => {
    const seller = await market.agent('seller-of-watches');
    const numbers = ['7-7123-45', '352099001761481x1'];
    for (const serial of numbers)
      await market.list(seller, { asset: spelledAsset({ serial, maker: 'Seiko' }).asset });
    expect(await claimOn(numbers[0]!, 'Canon')).toEqual([
      [],
      'INCONCLUSIVE',
      expect.stringContaining('the same number of another maker is claimed by listing'),
    ]);
    // Written with a letter for a nought, or without its maker, it is what may be the same thing.
    expect((await claimOn(numbers[0]!.replace('1', 'I'), 'Canon'))[1]).toBe('INCONCLUSIVE');
    expect((await claimOn(numbers[0]!, 'Seiko')).slice(0, 2)).toEqual([['double-pledge'], 'FLAG']);
    expect((await claimOn(numbers[1]!, 'Canon')).slice(0, 2)).toEqual([['double-pledge'], 'FLAG']);
  });

  it('is as open where it is asked about by the token of its certificate; a claim on the token is FLAGGED', async () => {
    const seller = await market.agent('seller-of-clocks');
    await market.list(seller, { asset: spelledAsset({ serial: '8-8123-45', maker: 'Seiko' }).asset });
    const byToken = async (tokenId: string, maker: string) => {
      const tokenKey = `eip155:1002/erc721:${CONTRACT.toLowerCase()}/${tokenId}`;
      const { asset } = spelledAsset({ serial: '8-8123-45', maker });
      await noteCertificate(database.db, { tokenKey, assetKey: assetKey(asset) });
      return claimOnAsset({ ...ASSET, tokenId });
    };
    expect(await byToken('101', 'Canon')).toEqual(await claimOn('8-8123-45', 'Canon'));
    expect((await byToken('102', 'Canon'))[1]).toBe('INCONCLUSIVE');
    expect((await byToken('103', 'Seiko')).slice(0, 2)).toEqual([['double-pledge'], 'FLAG']);
    await pledge('pl_101', `eip155:1002/erc721:${CONTRACT.toLowerCase()}/101`, 'elsewhere-101', null);
    expect((await byToken('101', 'Canon')).slice(0, 2)).toEqual([['double-pledge'], 'FLAG']);
  });
});

describe('a tier evaluation', () => {
  it('lists what did not run, and says of what it cannot judge that it is INCONCLUSIVE', async () => {
    const { record } = await tier2({
      asset: { ...ASSET, tokenId: '18' },
      listingRef: 'mine',
      priceUsd: 10,
      lotRef: 'x',
      seller: 'y',
    });
    expect(record.determinationsRun).toEqual(['shill-collusion', 'double-pledge', 'price-intelligence']);
    expect(record.determinationsNotRun).toEqual(['mandate-compliance']);
    expect([record.verdict, record.flagged]).toEqual(['FLAGGED', []]);
    expect(record.inconclusive).toEqual(expect.arrayContaining(['shill-collusion', 'price-intelligence']));
  });

  it('is about no address and no words that a payer made up as a lot or an agent', async () => {
    const words = `0x${'Ab'.repeat(20)}`;
    const lot = await tier2({ lotRef: words, seller: 'x' });
    expect(lot.record.inconclusive).toContain('shill-collusion');
    expect(lot.subject).toMatch(/^lot:0x[0-9a-f]{64}$/);
    const proposal = { side: 'buy', category: 'real-world-assets', priceUsd: '12.50' } as const;
    const agent = await tier2({ handle: 'somebody-is-a-thief', proposal });
    expect(agent.subject).toMatch(/^agent:0x[0-9a-f]{64}$/);
    const filing = { recordId: 'rec_1', issuedAt: NOW };
    const filed = JSON.stringify([lot, agent].map((answer) => makeRecord(tierDraft(answer, filing)).record));
    expect(filed.toLowerCase()).not.toContain(words.toLowerCase());
    expect(filed).not.toContain('thief');
  });

  it('counts half of the facts of a determination as none', async () => {
    const { record } = await tier2({ lotRef: 'x', handle: 'alice', asset: ASSET, listingRef: 'elsewhere-1' });
    expect(record.determinationsNotRun).toEqual([
      'shill-collusion',
      'mandate-compliance',
      'price-intelligence',
    ]);
  });

  it('is INCONCLUSIVE on the mandate of an agent that is not known', async () => {
    const proposal = { side: 'buy', category: 'real-world-assets', priceUsd: '12.50' } as const;
    const { record } = await tier2({ handle: 'nobody', proposal }, 'superconsensus');
    expect(record.determinations[0]).toMatchObject({ id: 'mandate-compliance', verdict: 'INCONCLUSIVE' });
  });

  it('traces its reasoning in tier 3, scans for stolen goods, and keeps evidence that judges the same', async () => {
    const facts = { subject: { serial: 'AB-1234' }, asset: { serial: 'AB-1234' }, listingRef: 'mine' };
    const answer = await determineTier(deps, {
      tier: 'tier3',
      category: 'real-world-assets',
      facts,
      depth: 'superconsensus',
    });
    const provenance = answer.record.determinations.find((d) => d.id === 'provenance');
    expect(provenance?.verdict).toBe('INCONCLUSIVE');
    expect(JSON.stringify(provenance)).toContain('not a search of national police databases');
    expect(provenance?.trace?.[0]).toMatchObject({
      step: 1,
      seat: 'rules/viem',
      rule: 'list-stolen',
      outcome: 'INCONCLUSIVE',
    });
    expect(new Set(provenance?.trace?.map((t) => t.seat)).size).toBe(5);
    const stored = JSON.parse(JSON.stringify(answer.evidence));
    expect(recompute(stored).verdict).toBe(answer.record.verdict);
    const draft = tierDraft(answer, { recordId: 'rec_1', issuedAt: NOW });
    expect(makeRecord(draft).record.subject).toBe('serial:generic:AB1234');
    expect((await tier2({ asset: ASSET })).record.determinations[0]?.trace).toBeUndefined();
  });

  it.each<[string, 'tier2' | 'tier3', TierFacts, string]>([
    ['no facts', 'tier2', {}, 'no-facts'],
    ['no complete facts', 'tier3', { lotRef: 'x', handle: 'alice', listingRef: 'y' }, 'no-facts'],
    ['a subject in tier 2', 'tier2', { subject: { serial: 'AB-1234' } }, 'bad-request'],
    ['half an asset', 'tier2', { asset: { contract: CONTRACT } }, 'bad-request'],
    ['a negative price', 'tier2', { priceUsd: -1 }, 'bad-request'],
    [
      'a proposal without a price that can be read',
      'tier2',
      { handle: 'a', proposal: { side: 'buy', category: 'digital-products', priceUsd: '1e3' } },
      'bad-request',
    ],
  ])('is refused with %s', (_, tier, facts, code) => {
    expect(() => readTierFacts(tier, facts)).toThrow(expect.objectContaining({ code }));
  });

  it('is about one thing: facts about two are refused, by the field that names the other', async () => {
    const seller = await market.agent('seller-of-one');
    const ref = await market.list(seller, { asset: spelledAsset({ serial: 'listed-2' }).asset });
    const [stolen, clean] = [{ serial: 'STOLEN-1' }, { serial: 'CLEAN-1' }];
    const proposal = { side: 'buy', category: 'real-world-assets', priceUsd: '12.50' } as const;
    const mixed: [TierFacts, string][] = [
      [{ asset: stolen, listingRef: 'mine', subject: clean }, 'subject'],
      [{ asset: stolen, handle: seller, proposal: { ...proposal, asset: clean } }, 'proposal.asset'],
      [{ asset: stolen, listingRef: ref }, 'listingRef'],
      [{ asset: stolen, handle: seller, proposal: { ...proposal, listingRef: ref } }, 'proposal.listingRef'],
      [{ asset: stolen, lotRef: ref, seller }, 'lotRef'],
      [{ asset: stolen, lotRef: 'serial:generic:LISTED2', seller }, 'lotRef'],
      [{ lotRef: ref, seller, subject: clean }, 'lotRef'],
      [{ asset: ASSET, subject: clean }, 'subject'],
    ];
    for (const [facts, field] of mixed) {
      const asked = { tier: 'tier3', category: 'real-world-assets', facts, depth: '2-of-2' } as const;
      await expect(determineTier(deps, asked), field).rejects.toMatchObject({
        ...{ code: 'bad-request', message: expect.stringContaining(`${field}: names another thing than`) },
      });
    }
    const one = {
      asset: { serial: 'listed-2' },
      subject: { serial: 'LISTED 2' },
      listingRef: ref,
      lotRef: ref,
    };
    expect((await tier3({ ...one, seller })).record.determinationsRun).toContain('provenance');
  });

  it('takes the token of a certificate and its serial for one thing', async () => {
    const token = { chainId: 1002, contract: `0x${'ce'.repeat(20)}`, tokenId: '5' };
    const tokenKey = `eip155:1002/erc721:${token.contract}/5`;
    await noteCertificate(database.db, { tokenKey, assetKey: 'serial:generic:PROVEN1' });
    const found = await tier3({ asset: token, listingRef: 'mine', subject: { serial: 'proven-1' } });
    expect(found.record.determinationsRun).toEqual(['double-pledge', 'provenance']);
    await expect(tier3({ asset: token, subject: { serial: 'proven-2' } })).rejects.toMatchObject({
      code: 'bad-request',
    });
  });

  it('is refused without a depth, which is never guessed', async () => {
    await expect(
      determineTier(deps, {
        tier: 'tier2',
        category: 'real-world-assets',
        facts: { asset: ASSET },
        depth: null,
      }),
    ).rejects.toMatchObject({ code: 'bad-request' });
  });
});
