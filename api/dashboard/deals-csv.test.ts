import { describe, expect, it } from 'vitest';
import { dealsCsv } from './deals-csv.ts';

const sale = {
  ...{
    dealId: 'deal_1',
    lot: 'serial:isbn:9780306406157',
    role: 'seller',
    priceUsd: 0.3,
    paysUsd: 0.3,
    getsUsd: 0.2,
  },
  ...{
    state: 'recorded',
    deadline: null,
    waitsForYou: false,
    findings: [],
    openDisputes: [],
    reason: null,
    tx: '0xaa',
  },
  updatedAt: '2026-11-21T07:00:00.000Z',
};
const agent = (handle: string, ...deals: (typeof sale & { description?: string })[]) => ({
  ...{ handle, deals, orders: [] },
  funds: undefined,
});

describe('the deals of an owner for other programs', () => {
  it('are what settled, of all agents, the newest first, with what each brought or cost', () => {
    const bought = {
      ...sale,
      dealId: 'deal_2',
      role: 'buyer',
      state: 'settled',
      updatedAt: '2026-11-22T07:00:00.000Z',
    };
    const stopped = { ...sale, dealId: 'deal_3', state: 'stopped' };
    expect(dealsCsv([agent('quay', sale, stopped), agent('desk', bought)]).split('\r\n')).toEqual([
      'settled_at,agent,role,deal,lot,description,price_usd,fee_usd,net_usd,transaction',
      '2026-11-22T07:00:00.000Z,desk,buyer,deal_2,serial:isbn:9780306406157,,0.3,0,-0.3,0xaa',
      '2026-11-21T07:00:00.000Z,quay,seller,deal_1,serial:isbn:9780306406157,,0.3,0.1,0.2,0xaa',
      '',
    ]);
  });

  it('have of a name the fee of the own side alone', () => {
    const name = { ...sale, lot: 'serial:name:alice.x', priceUsd: 300, paysUsd: 307.5, getsUsd: 292.5 };
    const csv = dealsCsv([agent('quay', name), agent('desk', { ...name, role: 'buyer' })]);
    expect(csv).toContain(',quay,seller,deal_1,serial:name:alice.x,,300,7.5,292.5,');
    expect(csv).toContain(',desk,buyer,deal_1,serial:name:alice.x,,300,7.5,-307.5,');
  });

  it('quote what would break the table, and keep as text what a spreadsheet would run', () => {
    const told = (description: string) => dealsCsv([agent('quay', { ...sale, description })]);
    expect(told('Forty "graded" laptops, B')).toContain(',"Forty ""graded"" laptops, B",');
    expect(told('one\r\ntwo')).toContain(',"one\r\ntwo",');
    for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])
      expect(told(formula)).toContain(`,'${formula},`);
  });
});
