import type { Row, TableShape } from './rows.ts';

/** What the store needs of the tables in `store/migrations`: keys, defaults, JSON columns and unique keys. */

const nulls = (...columns: string[]): Row => Object.fromEntries(columns.map((c) => [c, null]));
const one = (...columns: string[]) => ({ columns });

export const SHAPES: readonly TableShape[] = [
  {
    name: 'actors',
    defaults: (now) => ({
      revision: 0n,
      status: 'active',
      failures: 0,
      ...nulls('next_batch_at', 'fault', 'born'),
      created_at: now,
      updated_at: now,
    }),
    json: ['snapshot', 'born'],
    unique: [one('id')],
    lookups: ['id'],
  },
  {
    name: 'mailbox',
    serial: 'seq',
    defaults: (now) => ({
      ...nulls('consumed_at', 'dead_lettered_at', 'fault', 'served_in'),
      created_at: now,
    }),
    json: ['event'],
    unique: [one('actor_id', 'event_id')],
    lookups: ['actor_id', 'seq'],
  },
  {
    name: 'timers',
    defaults: () => ({ set_at: 0n, ...nulls('fired_at') }),
    json: ['event'],
    unique: [one('actor_id', 'timer_id')],
    lookups: ['actor_id'],
  },
  {
    name: 'effects',
    serial: 'id',
    defaults: (now) => ({
      status: 'pending',
      attempts: 0,
      failures: 0,
      crash_count: 0,
      next_attempt_at: now,
      created_at: now,
      ...nulls('lease_until', 'lease_holder', 'error', 'finished_at', 'dropped_at'),
    }),
    json: ['params'],
    unique: [one('key')],
    lookups: ['key', 'actor_id'],
  },
  {
    name: 'checkouts',
    defaults: (now) => ({
      kind: 'agent',
      status: 'awaiting-payment',
      pay: 'card',
      details: '{}',
      ...nulls('lapsed_at'),
      created_at: now,
    }),
    json: ['details'],
    unique: [
      one('id'),
      {
        columns: ['handle'],
        where: (r) =>
          r.kind === 'agent' &&
          (['paid', 'minting', 'minted'].includes(r.status as string) ||
            (r.status === 'awaiting-payment' && r.pay === 'usdc' && r.lapsed_at === null)),
      },
      one('processor_session'),
    ],
    lookups: ['id', 'handle'],
  },
  {
    name: 'card_events',
    defaults: (now) => ({ received_at: now }),
    unique: [one('event_id')],
    lookups: ['event_id'],
  },
  {
    name: 'agents',
    defaults: (now) => ({
      ...nulls('display_name', 'about'),
      status: 'active',
      since: now,
      epoch: 1,
      suspension_reasons: [],
    }),
    unique: [one('handle'), one('checkout_id'), one('account'), one('chain_id', 'contract', 'token_id')],
    lookups: ['handle'],
  },
  {
    name: 'mandates',
    defaults: (now) => ({ created_at: now, ...nulls('counts_from') }),
    json: ['structured'],
    unique: [one('handle', 'version')],
    lookups: ['handle'],
  },
  {
    name: 'owner_acts',
    json: ['detail', 'signatures'],
    unique: [
      one('id'),
      { columns: ['handle'], where: (r) => r.status === 'proposed' || r.status === 'signed' },
    ],
    lookups: ['id', 'handle'],
  },
  {
    name: 'relay_budgets',
    unique: [one('purpose', 'subject')],
    lookups: ['subject'],
  },
  {
    name: 'owner_settings',
    defaults: (now) => ({ ...nulls('on_flagged', 'on_inconclusive'), updated_at: now }),
    unique: [one('wallet')],
    lookups: ['wallet'],
  },
  // Nothing fills it: no account owns an agent there.
  { name: 'beneficial_owners', unique: [one('owner')], lookups: ['owner'] },
  {
    name: 'listings',
    serial: 'seq',
    defaults: (now) => ({ attributes: null, featured: false, listed_at: now, listed_ask: null }),
    json: ['asset', 'attributes'],
    unique: [
      one('listing_ref'),
      { columns: ['asset_key'], where: (r) => ['unpaid', 'live', 'dealing'].includes(String(r.status)) },
    ],
    lookups: ['listing_ref', 'asset_key'],
  },
  {
    name: 'chain_listings',
    defaults: () => nulls('over_at', 'taking_since'),
    unique: [one('handle', 'token_key')],
    lookups: ['handle'],
  },
  {
    name: 'pledges',
    serial: 'seq',
    defaults: (now) => ({ created_at: now }),
    unique: [one('id'), { columns: ['asset_key'], where: (r) => r.released_at === null }],
    lookups: ['id', 'asset_key', 'listing_ref'],
  },
  {
    name: 'lots',
    defaults: (now) => ({ open: true, updated_at: now }),
    unique: [one('asset_key')],
    lookups: ['asset_key'],
  },
  {
    name: 'orders',
    serial: 'seq',
    defaults: (now) => ({
      created_at: now,
      rested_at: now,
      placed_at: null,
      account_held: null,
      moves_price: false,
    }),
    unique: [
      one('order_id'),
      {
        columns: ['asset_key', 'handle'],
        where: (r) => ['resting', 'unfunded'].includes(String(r.status)) && r.side === 'buy',
      },
    ],
    lookups: ['order_id', 'asset_key', 'handle'],
  },
  {
    name: 'matches',
    serial: 'seq',
    defaults: (now) => ({ matched_at: now }),
    unique: [one('match_id'), one('deal_id'), one('sell_order'), one('buy_order')],
    lookups: ['match_id', 'deal_id'],
  },
  {
    name: 'deals',
    defaults: (now) => ({
      state: 'determining',
      findings: '[]',
      signing: 0,
      ...nulls('deadline', 'tx', 'settled_block', 'reason', 'signed_until', 'signed_over', 'refusal'),
      created_at: now,
      updated_at: now,
    }),
    json: ['findings'],
    unique: [one('deal_id'), one('match_id')],
    lookups: ['deal_id', 'match_id'],
  },
  {
    name: 'stops',
    defaults: () => nulls('setting', 'mandates', 'lists', 'claims', 'lifted_at'),
    unique: [one('deal_id', 'side', 'finding')],
    lookups: ['deal_id', 'asset_key'],
  },
  { name: 'register_lists', unique: [one('register', 'source')], lookups: ['register'] },
  {
    name: 'reservations',
    defaults: (now) => ({ updated_at: now }),
    unique: [one('order_id')],
    lookups: ['order_id', 'handle'],
  },
  {
    name: 'batches',
    serial: 'batch_id',
    defaults: (now) => ({ created_at: now }),
    unique: [one('batch_id')],
    lookups: ['batch_id'],
  },
  {
    name: 'records',
    serial: 'seq',
    defaults: (now) => ({ created_at: now, ...nulls('partner', 'batch_id', 'leaf_index') }),
    unique: [one('record_id')],
    lookups: ['record_id', 'handle'],
  },
  {
    name: 'record_retractions',
    defaults: (now) => ({ retracted_at: now }),
    unique: [one('record_id')],
    lookups: ['record_id'],
  },
  { name: 'record_parties', unique: [one('handle', 'seq')], lookups: ['seq'] },
  {
    name: 'certificates',
    defaults: (now) => ({ noted_at: now }),
    unique: [one('token_key')],
    lookups: ['token_key'],
  },
  {
    name: 'certificate_disputes',
    defaults: () => ({
      ...nulls('reply', 'replied_by', 'replied_at', 'cause', 'held_at', 'held_until'),
      ...nulls(
        'decision',
        'reason',
        'decided_at',
        'record_id',
        'appealed_by',
        'appeal_grounds',
        'appealed_at',
      ),
      ...nulls(
        'second_decision',
        'second_reason',
        'second_decided_at',
        'second_record_id',
        'closed_at',
        'held_block',
      ),
    }),
    unique: [one('dispute_id'), one('token_id', 'wallet')],
    lookups: ['dispute_id', 'asset_key'],
  },
];
