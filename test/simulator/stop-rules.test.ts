import { expect, it } from 'vitest';
import { dealRecordId } from '../../runtime/records/record-id.ts';
import { packRecord } from '../../store/records/packed-columns.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import type { Change, Row } from './memory/rows.ts';
import { StopRules } from './stop-rules.ts';

/** Who matches again is judged by what was committed first, whatever the clocks of the processes said. */

const LOT = 'lot';
const EARLY = new Date('2026-11-02T09:00:00Z');
const LATE = new Date('2026-11-02T09:01:00Z');
const LATEST = new Date('2026-11-02T09:02:00Z');

/** A lot on which a deal at 100 was stopped for a finding about its price; `commit` answers with the broken rule. */
function stopped() {
  const tables: Record<string, Map<unknown, Row>> = {};
  const rows = (table: string): Row[] => [...(tables[table]?.values() ?? [])];
  const server = {
    table: (name: string) => ({
      rows: () => rows(name),
      where: (column: string, value: unknown) =>
        rows(name).flatMap((row) => (row[column] === value ? [{ committed: row }] : [])),
    }),
  } as unknown as MemoryServer;
  const find = (table: string, column: string, value: unknown): Row =>
    rows(table).find((row) => row[column] === value)!;
  const rules = new StopRules(find, server);
  const commit = (...written: readonly (readonly [table: string, key: string, row: object])[]) => {
    const changes = written.map(([table, key, row]): Change => {
      const kept = tables[table] ?? new Map<unknown, Row>();
      tables[table] = kept;
      const before = kept.get(key) ?? null;
      const after = { ...before, ...row } as Row;
      kept.set(key, after);
      return { table, before, after };
    });
    return rules.commit(changes);
  };
  const order = (id: string, at: Date, more: object = {}) =>
    [
      'orders',
      id,
      {
        order_id: id,
        asset_key: LOT,
        side: id.startsWith('sell') ? 'sell' : 'buy',
        handle: id.startsWith('sell') ? 'ann' : 'bob',
        owner: id.startsWith('sell') ? '0xa' : '0xb',
        listing_ref: 'lst',
        status: 'resting',
        created_at: at,
        placed_at: null,
        ...more,
      },
    ] as const;
  const match = (id: string, price: bigint, sell: string, buy: string) =>
    [
      'matches',
      id,
      {
        match_id: id,
        deal_id: `deal-${id}`,
        asset_key: LOT,
        sell_order: sell,
        buy_order: buy,
        price,
        matched_at: LATE,
      },
    ] as const;
  const body = packRecord({
    ...{ recordId: 'r', kind: 'determination', issuedAt: '', subject: LOT, parties: [], summary: '' },
    content: { record: { flagged: ['mandate-compliance'], inconclusive: [] } },
    evidenceHash: null,
  });
  const snapshot = { context: { buyer: 'stop', seller: 'pass' } };
  commit(['agents', 'bob', { handle: 'bob', mandate_version: 1 }]);
  commit(order('sell-1', LATE), order('buy-0', LATEST));
  commit(order('buy-1', LATE), match('one', 100n, 'sell-1', 'buy-1'));
  commit(['deals', 'deal-one', { deal_id: 'deal-one', state: 'stopped', reason: 'found' }]);
  commit(
    ['actors', 'deal:deal-one', { id: 'deal:deal-one', snapshot }],
    ['records', 'r', { record_id: dealRecordId('deal-one', 'buyer'), body }],
  );
  const adopt = () => commit(['agents', 'bob', { mandate_version: 2 }]);
  const undo = () =>
    commit(
      ['orders', 'sell-1', { status: 'unwound' }],
      ['orders', 'buy-1', { status: 'unwound' }],
      order('sell-2', EARLY, { placed_at: LATE }),
    );
  return { commit, order, match, adopt, undo };
}

const AGAIN = ['no pair matches twice on one lot for one unchanged finding', expect.any(String)];

it('an order from before the stop is no new one, though the clock that it has is ahead', () => {
  const { commit, match, undo } = stopped();
  undo();
  expect(commit(match('two', 50n, 'sell-2', 'buy-0'))).toEqual(AGAIN);
});

it('an order from after the stop is a new one, though the clock that it has is behind', () => {
  const { commit, order, match, undo } = stopped();
  undo();
  expect(commit(order('buy-2', EARLY), match('two', 50n, 'sell-2', 'buy-2'))).toBeNull();
});

it('a new order at the same price needs a mandate that was replaced since the match', () => {
  const one = stopped();
  one.undo();
  expect(one.commit(one.order('buy-2', LATE), one.match('two', 100n, 'sell-2', 'buy-2'))).toEqual(AGAIN);
  const other = stopped();
  other.undo();
  other.adopt();
  expect(other.commit(other.order('buy-2', EARLY), other.match('two', 100n, 'sell-2', 'buy-2'))).toBeNull();
});

it('a mandate that is replaced lifts nothing before one of the two orders again', () => {
  const { commit, match, order, undo, adopt } = stopped();
  undo();
  expect(commit(order('buy-2', LATE))).toBeNull();
  adopt();
  expect(commit(match('two', 100n, 'sell-2', 'buy-2'))).toEqual(AGAIN);
});
