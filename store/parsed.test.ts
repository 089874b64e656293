import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHECKS, parsed, parsedAll, parsedOrNull, UnreadableRow } from './parsed.ts';

const MANDATE = { side: 'buy', currency: 'USDC', cap_per_deal: '5', expires_at: '2027-01-01T00:00:00Z' };
const TOKEN = { kind: 'token', chainId: 1002, contract: `0x${'a'.repeat(40)}`, tokenId: '7' };

describe('a row that is read', () => {
  it('comes back as it is when its JSON is what its columns are for', () => {
    const row = { handle: 'ann', structured: MANDATE };
    expect(parsed('mandates', row)).toBe(row);
    expect(parsed('listings', { asset: TOKEN, ask: 1n })).toMatchObject({ asset: TOKEN });
    expect(parsed('listings', { asset: { kind: 'serial', serialKind: 'vin', serial: 'X' } })).toBeTruthy();
    expect(parsed('signer_transactions', { earlier: [['3', '1']] })).toBeTruthy();
  });

  it.each([
    ['mandates', { structured: {} }],
    ['mandates', { structured: { ...MANDATE, cap_per_deal: 5 } }],
    ['mandates', { structured: { ...MANDATE, cap_per_minute: '5' } }],
    ['listings', { asset: { ...TOKEN, tokenId: 7 } }],
    ['listings', { asset: { kind: 'serial', serial: 'X' } }],
    ['listings', { attributes: { make: {} } }],
    ['deals', { findings: [{ side: 'buyer' }] }],
    ['owner_acts', { detail: {}, signatures: ['signed'] }],
    ['payments', { record: { recordId: 'rec_1' } }],
    ['agent_log', { figures: { ask: 5 } }],
  ] as const)('of %s is refused, and never passed on, when it holds %j', (table, row) => {
    expect(() => parsed(table, row)).toThrow(UnreadableRow);
    expect(() => parsedOrNull(table, row)).toThrow(UnreadableRow);
    expect(() => parsedAll(table, [row])).toThrow(new RegExp(`^${table}\\.`));
  });

  it('may lack a column that was not asked for, be empty in one, or not be there', () => {
    expect(parsed('owner_acts', { signatures: null })).toEqual({ signatures: null });
    expect(parsedOrNull('mandates', undefined)).toBeNull();
  });
});

it('has no check for a column that the schema does not have', () => {
  const schema = readFileSync(new URL('./schema.ts', import.meta.url), 'utf8');
  for (const column of Object.keys(CHECKS)) expect(schema).toContain(`JsonColumn<"${column}">`);
});
