import { describe, expect, it } from 'vitest';
import type { Mandate } from '../../mandate/terms/schema.ts';
import type { MandateChainFacts, MandateCommon } from '../mandate/mandate-evidence.ts';
import type { Claim, PledgeCommon, PledgeFacts } from '../pledge/pledge-evidence.ts';
import type { ShillCommon, ShillFacts } from '../shill/shill-evidence.ts';
import { judge } from './judge.ts';
import { panelFor } from './panel.ts';
import type { Depth, DeterminationEvidence, DeterminationId } from './types.ts';

const AT = '2026-12-01T00:00:00.000Z';
const CHAIN = 'eip155:1002';

function evidence<C, F>(
  id: DeterminationId,
  common: C,
  facts: F,
  depth: Depth = '2-of-2',
  ethers: F = facts,
): DeterminationEvidence<C, F> {
  return {
    id,
    rules: 1,
    at: AT,
    performer: 'AGENT',
    depth,
    common,
    blocks: { [CHAIN]: { number: '1', hash: '0x01', at: AT } },
    seats: panelFor(depth).seats.map(({ seat, method, client }) => ({
      seat,
      method,
      source: `${client} over 127.0.0.1:1`,
      limit: 'a test',
      facts: client === 'all' ? null : client === 'ethers' ? ethers : facts,
      fault: null,
    })),
    latencyMs: 1,
  };
}

const votes = (e: DeterminationEvidence) => judge(e).panel.votes.map((v) => v.vote);

describe('double pledge', () => {
  const claim = (over: Partial<Claim> = {}): Claim => ({
    id: 'lst_1',
    kind: 'listing',
    listingRef: 'lst_1',
    holder: 'alice',
    lender: null,
    since: AT,
    sameKey: true,
    ...over,
  });
  const pledge = (over: Partial<PledgeCommon>, depth?: Depth) =>
    evidence(
      'double-pledge',
      { assetKey: 'serial:vin:X', listingRef: null, handle: null, claims: [], ...over },
      {},
      depth,
    );

  const lien = claim({ kind: 'pledge', lender: 'a bank', until: '2026-11-01T00:00:00.000Z' });

  it("is FLAGGED by a lender's lien whatever reference the asker names, also when it is overdue", () => {
    for (const asked of [{ listingRef: 'lst_1' }, { handle: 'alice' }, {}]) {
      const judged = judge(pledge({ liens: 2, claims: [lien], ...asked }));
      expect([judged.verdict, judged.panel.votes.map((v) => v.vote)]).toEqual([
        'FLAGGED',
        ['FLAGGED', 'FLAGGED'],
      ]);
      expect(judged.checks[0]?.detail).toContain('overdue since 2026-11-01T00:00:00.000Z, not released');
    }
    expect(judge(pledge({ claims: [lien], listingRef: 'lst_1' })).verdict).toBe('CLEAN');
  });

  it.each<[string, PledgeFacts, string]>([
    ['is held', { token: { contract: true, holder: `0x${'a'.repeat(40)}` }, fault: null }, 'CLEAN'],
    ['was never minted', { token: { contract: true, holder: null }, fault: null }, 'INCONCLUSIVE'],
    ['is of a wallet', { token: { contract: false, holder: null }, fault: null }, 'INCONCLUSIVE'],
    ['is on no chain that is read', { token: null, fault: 'no RPC URL' }, 'INCONCLUSIVE'],
  ])('of a token that %s', (_, facts, verdict) => {
    const common = {
      assetKey: 'eip155:1/erc721:0xa/1',
      listingRef: 'l',
      handle: null,
      claims: [],
      chain: CHAIN,
    };
    expect(judge(evidence('double-pledge', { ...common, liens: 2 as const }, facts)).verdict).toBe(verdict);
  });

  it('is FLAGGED by all where the token lies at a lending contract, and not where it has left it', () => {
    const lender = `0x${'1e'.repeat(20)}`;
    const common = {
      ...{ assetKey: 'eip155:1/erc721:0xa/1', listingRef: 'l', handle: null, claims: [], chain: CHAIN },
      ...{ liens: 2 as const, lenders: [{ address: lender, source: 'lenders' }] },
    };
    const heldBy = (holder: string) => ({ token: { contract: true, holder }, fault: null });
    const escrowed = judge(evidence('double-pledge', common, heldBy(lender)));
    expect(escrowed.verdict).toBe('FLAGGED');
    expect(escrowed.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    expect(escrowed.checks.find((c) => c.outcome === 'FLAG')).toMatchObject({ id: 'token-held', hard: true });
    expect(judge(evidence('double-pledge', common, heldBy(`0x${'a'.repeat(40)}`))).verdict).toBe('CLEAN');
  });

  it.each<[string, Partial<PledgeCommon>, string]>([
    ['no claim', {}, 'CLEAN'],
    ['the claim asked about', { listingRef: 'lst_1', claims: [claim()] }, 'CLEAN'],
    ['the handle its own listing', { handle: 'alice', claims: [claim()] }, 'CLEAN'],
    ['the only listing', { claims: [claim()] }, 'CLEAN'],
    ["another's listing", { listingRef: 'lst_2', claims: [claim()] }, 'FLAGGED'],
    ["another holder's listing", { handle: 'bob', claims: [claim()] }, 'FLAGGED'],
    [
      'the same holder under another reference',
      { listingRef: 'lst_2', handle: 'alice', claims: [claim()] },
      'FLAGGED',
    ],
    ['two listings', { claims: [claim(), claim({ listingRef: 'lst_2' })] }, 'FLAGGED'],
    ['a pledge and no reference', { claims: [claim({ kind: 'pledge' })] }, 'INCONCLUSIVE'],
    [
      'the same serial of another kind',
      { listingRef: 'lst_2', claims: [claim({ sameKey: false })] },
      'FLAGGED',
    ],
  ])('has the right verdict on %s', (_, over, verdict) => {
    const determination = judge(pledge(over));
    expect(determination.verdict).toBe(verdict);
    expect(determination.panel.votes.map((v) => v.vote)).toEqual([verdict, verdict]);
  });

  it('is no finding where another maker gave its thing the same number, whatever is said of that one', () => {
    const other = claim({ sameKey: false, otherMaker: true, on: 'serial:generic:SEIKO:123456' });
    const owed = { ...other, id: 'p1', kind: 'pledge' as const, lender: 'a bank' };
    for (const depth of ['2-of-2', 'superconsensus'] as const)
      for (const asked of [{ listingRef: 'lst_2' }, { handle: 'bob' }, {}])
        for (const claims of [[other], [owed], [other, owed]]) {
          const determination = judge(pledge({ liens: 3, claims, ...asked }, depth));
          expect(determination.verdict).toBe('INCONCLUSIVE');
          expect(determination.checks[0]).toMatchObject({ id: 'other-live-claim', outcome: 'INCONCLUSIVE' });
          expect(determination.checks[0]?.detail).toContain('the same number of another maker is claimed');
        }
    const both = pledge({ listingRef: 'lst_2', claims: [other, claim({ id: 'l', listingRef: 'lst_3' })] });
    expect(judge(both).verdict).toBe('FLAGGED');
    expect(judge(pledge({ listingRef: 'lst_1', claims: [other] })).verdict).toBe('CLEAN');
  });

  it('names the other reference in a hard flag', () => {
    const [check] = judge(pledge({ listingRef: 'lst_2', claims: [claim()] })).checks;
    expect(check).toMatchObject({ id: 'other-live-claim', outcome: 'FLAG', hard: true });
    expect(check?.detail).toContain('lst_1');
  });

  it('is not hard when only the bare serial is the same', () => {
    const [check] = judge(pledge({ listingRef: 'lst_2', claims: [claim({ sameKey: false })] })).checks;
    expect(check?.hard).toBeUndefined();
  });
});

describe('self-dealing', () => {
  const party = (role: 'buyer' | 'seller', n: string) => ({
    role,
    handle: role,
    account: `0xacc${n}`,
    sessionKey: `0xkey${n}`,
  });
  const common: ShillCommon = {
    scope: 'deal',
    dealId: 'deal_1',
    chain: CHAIN,
    parties: [party('buyer', '1'), party('seller', '2')],
  };
  const owners = (buyer: string[] | null, seller: string[] | null): ShillFacts => ({
    owners: [
      { handle: 'buyer', owners: buyer, fault: null },
      { handle: 'seller', owners: seller, fault: null },
    ],
    sharedKey: false,
    fault: null,
  });

  it('is not found between different owners with different keys', () => {
    expect(judge(evidence('shill-collusion', common, owners(['0xa'], ['0xb']))).verdict).toBe('CLEAN');
  });

  it.each<[string, ShillFacts]>([
    ['one owner holds both', owners(['0xa'], ['0xa'])],
    ['one owner stands further up', owners(['0xmid', '0xa'], ['0xa'])],
    ['one agent owns the other', owners(['0xacc2', '0xb'], ['0xb'])],
    ['a key is live for both', { ...owners(['0xa'], ['0xb']), sharedKey: true }],
  ])('is a hard flag when %s', (_, facts) => {
    const determination = judge(evidence('shill-collusion', common, facts));
    expect(determination.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    expect(determination.checks.some((c) => c.hard === true)).toBe(true);
  });

  it('is INCONCLUSIVE while an owner or the keys could not be read', () => {
    expect(votes(evidence('shill-collusion', common, owners(['0xa'], null)))).toEqual([
      'INCONCLUSIVE',
      'INCONCLUSIVE',
    ]);
    const keys = { ...owners(['0xa'], ['0xb']), sharedKey: null };
    expect(votes(evidence('shill-collusion', common, keys))).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });

  it('is not judged from a lot alone, and never FLAGGED for that reason', () => {
    const lot = { scope: 'lot', lotRef: 'lot_1', seller: 'alice' } as const;
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const) {
      expect(judge(evidence('shill-collusion', lot, {}, depth)).verdict).toBe('INCONCLUSIVE');
    }
  });
});

describe('mandate compliance', () => {
  const MANDATE: Mandate = {
    side: 'buy',
    currency: 'USDC',
    cap_per_deal: '500',
    cap_per_day: '800',
    categories_allow: ['digital-products'],
    expires_at: '2026-12-31T23:59:59Z',
  };
  const usd = (n: number) => String(BigInt(n) * 1_000_000n);
  const UNCAPPED = String((1n << 256n) - 1n);
  const FACTS: MandateChainFacts = {
    owner: '0xa',
    keyLive: true,
    mandateHash: '0xhash',
    remaining: { day: usd(600), week: UNCAPPED, month: UNCAPPED, total: UNCAPPED, spendable: usd(500) },
    funds: usd(1000),
    fault: null,
  };
  const common = (
    over: Partial<MandateCommon> = {},
    proposal: Partial<MandateCommon['proposal']> = {},
  ): MandateCommon => ({
    handle: 'alice',
    chain: CHAIN,
    agent: { status: 'active', mandate: MANDATE, mandateHash: '0xhash' },
    proposal: {
      side: 'buy',
      category: 'digital-products',
      price: usd(400),
      chainId: 1002,
      counterparty: '0xother',
      aliases: ['0xother', 'bob'],
      ...proposal,
    },
    reserved: '0',
    sold: { day: '0', week: '0', month: '0', total: '0' },
    deals: { day: 0, total: 0 },
    verdicts: {},
    names: {},
    ...over,
  });
  const both = (c: MandateCommon, facts: MandateChainFacts = FACTS) =>
    evidence('mandate-compliance', c, facts);
  const withMandate = (over: Partial<Mandate>): Partial<MandateCommon> => ({
    agent: { status: 'active', mandate: { ...MANDATE, ...over }, mandateHash: '0xhash' },
  });

  it('is CLEAN inside every clause, cap and live limit', () => {
    const determination = judge(both(common()));
    expect(determination.verdict).toBe('CLEAN');
    expect(determination.checks.map((c) => c.id)).toEqual(
      expect.arrayContaining(['funds-available', 'key-live', 'mandate-on-chain']),
    );
  });

  it.each<[string, MandateCommon, Partial<MandateChainFacts>]>([
    ['the cap per deal is passed by one micro-dollar', common({}, { price: String(500_000_001n) }), {}],
    ['what is left of the day is passed', common({ reserved: usd(250) }), {}],
    [
      'the chain would let it spend less',
      common(),
      { remaining: { ...FACTS.remaining!, spendable: usd(399) } },
    ],
    [
      'the count of deals is reached',
      common({ ...withMandate({ max_deals_per_day: 2 }), deals: { day: 2, total: 2 } }),
      {},
    ],
  ])('is a hard flag of both seats when %s', (_, c, facts) => {
    const determination = judge(both(c, { ...FACTS, ...facts }));
    expect(determination.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    expect(determination.checks.some((k) => k.hard === true && k.outcome === 'FLAG')).toBe(true);
  });

  it.each([
    ['CLEAN', 'at the share of the market it allows', usd(500)],
    ['FLAGGED', 'a micro-dollar above that share', (BigInt(usd(500)) - 2n).toString()],
    ['INCONCLUSIVE', 'where enough sales do not say the market', null],
    ['INCONCLUSIVE', 'in evidence of before the market was read', undefined],
  ])('is %s %s', (verdict, _, marketMedian) => {
    const c = common({ ...withMandate({ max_pct_of_market: '80' }), marketMedian });
    expect(judge(both(c)).verdict).toBe(verdict);
    expect(judge(both(c)).panel.votes.map((v) => v.vote)).toEqual([verdict, verdict]);
  });

  it.each([
    ['CLEAN', 'at the share of the face value it allows', usd(500)],
    ['FLAGGED', 'a micro-dollar above that share', (BigInt(usd(500)) - 2n).toString()],
    ['INCONCLUSIVE', 'where the listing states no face value', null],
    ['INCONCLUSIVE', 'in evidence of before listings stated it', undefined],
  ])('is %s %s', (verdict, _, amount) => {
    const faceValue = amount == null ? amount : { amount, source: 'the indenture' };
    const c = common({ ...withMandate({ max_pct_of_face: '80' }), faceValue });
    const found = judge(both(c));
    expect([found.verdict, ...found.panel.votes.map((v) => v.vote)]).toEqual([verdict, verdict, verdict]);
    const [check] = found.checks.filter(({ id }) => id === 'mandate-face');
    if (amount != null) expect(check?.sources.map((s) => s.limit).join()).toContain('“the indenture”');
  });

  it.each<[string, MandateCommon, Partial<MandateChainFacts>]>([
    ['the category is another', common({}, { category: 'real-world-assets' }), {}],
    ['the side is another', common({}, { side: 'sell' }), {}],
    ['it has expired', common(withMandate({ expires_at: '2026-11-30T00:00:00Z' })), {}],
    ['it has not begun', common(withMandate({ not_before: '2026-12-24T00:00:00Z' })), {}],
    ['the chain is denied', common(withMandate({ chains_deny: ['eip155:1002'] })), {}],
    ['the counterparty is denied by its handle', common(withMandate({ counterparties_deny: ['bob'] })), {}],
    ['the counterparty is not on the list', common(withMandate({ counterparties_allow: ['0xsomeone'] })), {}],
    [
      'a determination it requires is FLAGGED',
      common({ ...withMandate({ require_clean: ['wallet'] }), verdicts: { wallet: 'FLAGGED' } }),
      {},
    ],
    ['the key is dead', common(), { keyLive: false }],
    ['the funds do not reach', common(), { funds: usd(399) }],
    ['the chain holds another mandate', common(), { mandateHash: '0xother' }],
    [
      'the agent is paused',
      common({ agent: { status: 'paused', mandate: MANDATE, mandateHash: '0xhash' } }),
      {},
    ],
  ])('is FLAGGED by both seats when %s', (_, c, facts) => {
    expect(votes(both(c, { ...FACTS, ...facts }))).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('accepts a counterparty that is allowed under any of its names', () => {
    for (const allowed of ['bob', '0xother', '0xOTHER']) {
      expect(judge(both(common(withMandate({ counterparties_allow: [allowed] })))).verdict, allowed).toBe(
        'CLEAN',
      );
    }
  });

  it.each<[string, MandateCommon, Partial<MandateChainFacts>]>([
    [
      'the chain is unread',
      common(),
      { keyLive: null, mandateHash: null, remaining: null, funds: null, fault: 'down' },
    ],
    ['the market is not known', common(withMandate({ max_pct_of_market: '90' })), {}],
    ['a required determination was not made', common(withMandate({ require_clean: ['wallet'] })), {}],
    ['a name cannot be resolved', common(withMandate({ counterparties_deny: ['carol.eth'] })), {}],
    ['there is no such agent', common({ agent: null }), {}],
  ])('is INCONCLUSIVE when %s', (_, c, facts) => {
    expect(votes(both(c, { ...FACTS, ...facts }))).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });

  it('is FLAGGED and names the seat that differs when one reader reports more money than there is', () => {
    const lying = { ...FACTS, funds: usd(1) };
    const determination = judge(evidence('mandate-compliance', common(), lying, '2-of-2', FACTS));
    expect(determination.verdict).toBe('FLAGGED');
    expect(determination.panel.dissent.join()).toMatch(/statistics\/ethers voted CLEAN.*different facts/s);
  });

  it('compares sales with what was sold, not with what may be spent', () => {
    const seller = withMandate({ side: 'sell', cap_per_day: '800', min_price: '50' });
    const sold = { day: usd(500), week: '0', month: '0', total: '0' };
    const sale = (price: number) => both(common({ ...seller, sold }, { side: 'sell', price: usd(price) }));
    expect(votes(sale(300))).toEqual(['CLEAN', 'CLEAN']);
    expect(votes(sale(301))).toEqual(['FLAGGED', 'FLAGGED']);
    expect(votes(sale(49))).toEqual(['FLAGGED', 'FLAGGED']);
  });
});

describe('what cannot be judged yet', () => {
  const stolen = {
    register: 'stolen',
    maxAgeDays: 30,
    lists: [{ name: 'stolen/x', asOf: AT, rows: 2 }],
    lookedUp: ['serial:vin:X'],
    hits: [],
  };

  it.each(['1-of-1', '2-of-2', 'superconsensus'] as const)(
    'is INCONCLUSIVE at depth %s, never FLAGGED or left out',
    (depth) => {
      const price = evidence(
        'price-intelligence',
        { priceUsd: '10', category: 'digital-products' },
        {},
        depth,
      );
      const origin = evidence('provenance', { assetKey: 'serial:vin:X', stolen }, {}, depth);
      expect([judge(price).verdict, judge(origin).verdict]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    },
  );

  it('always says that the scan is not a search of national police databases', () => {
    const { checks } = judge({
      ...evidence('provenance', { assetKey: 'serial:vin:X', stolen }, {}),
      blocks: {},
    });
    expect(checks.map((c) => c.id)).toEqual([
      'list-stolen',
      'list-recalled',
      'chain-of-custody',
      'custody-sanctions',
      'custody-known-scam',
    ]);
    for (const check of checks.slice(0, 3))
      expect(JSON.stringify(check.sources)).toContain('not a search of national police databases');
  });

  it('still flags goods that a register lists as stolen', () => {
    const hit = { ...stolen, hits: [{ key: 'serial:vin:X', list: 'stolen/x' }] };
    expect(judge(evidence('provenance', { assetKey: 'serial:vin:X', stolen: hit }, {})).verdict).toBe(
      'FLAGGED',
    );
  });
});
