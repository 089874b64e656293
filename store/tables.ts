import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** The typed face of `migrations/`: one interface a table. Money is bigint micro-dollars; times are Date. */

type Defaulted<T> = ColumnType<T, T | undefined, T>;
// biome-ignore lint/suspicious/noExplicitAny: JSON columns are validated where they are read
type JsonDoc<T extends object = Record<string, any>> = JSONColumnType<T>;

interface ActorsTable {
  id: string;
  kind: string;
  version: number;
  snapshot: JsonDoc;
  revision: Defaulted<bigint>;
  status: Defaulted<'active' | 'done' | 'failed'>;
  next_turn_at: Date | null;
  failures: Defaulted<number>;
  fault: string | null;
  created_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
}

interface MailboxTable {
  seq: GeneratedAlways<bigint>;
  actor_id: string;
  event_id: string;
  event: JsonDoc<{ type: string }>;
  created_at: Defaulted<Date>;
  consumed_at: Date | null;
  parked_at: Date | null;
  fault: string | null;
  served_in: Defaulted<bigint | null>;
}

interface ActorBirthsTable {
  actor_id: string;
  version: number;
  snapshot: JsonDoc;
  revision: Defaulted<bigint>;
  timers: JsonDoc<Record<string, number>> | null;
  cleared: Defaulted<bigint>;
}

interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  concurrency: number;
  keeper: Defaulted<boolean>;
  in_hand: Defaulted<number>;
  started_at: Defaulted<Date>;
  seen_at: Defaulted<Date>;
}

interface RatePacesTable {
  name: string;
  due_at: Date;
}

interface TimersTable {
  actor_id: string;
  timer_id: string;
  due_at: Date;
  event: JsonDoc<{ type: string }>;
  set_at: Defaulted<bigint>;
  fired_at: Date | null;
}

interface EffectsTable {
  id: GeneratedAlways<bigint>;
  key: string;
  actor_id: string;
  kind: string;
  params: JsonDoc;
  status: Defaulted<'pending' | 'running' | 'done' | 'failed' | 'parked'>;
  attempts: Defaulted<number>;
  failures: Defaulted<number>;
  deaths: Defaulted<number>;
  next_attempt_at: Defaulted<Date>;
  lease_until: Date | null;
  error: string | null;
  created_at: Defaulted<Date>;
  finished_at: Date | null;
  dropped_at: Defaulted<Date | null>;
}

interface SignerKeysTable {
  chain_id: number;
  address: string;
  next_nonce: bigint;
}

interface SignerTransactionsTable {
  chain_id: number;
  address: string;
  nonce: bigint;
  purpose: string | null;
  recipient: string;
  data: string;
  /** Numeric(78): text on the way out. */
  value: ColumnType<string, string, string>;
  gas: bigint;
  max_fee: bigint;
  priority_fee: bigint;
  earlier: ColumnType<[string, string][], string | undefined, string>;
  tended: Defaulted<number>;
  touched_at: Defaulted<Date>;
  taken_at: Defaulted<Date>;
}

interface CheckoutsTable {
  id: string;
  kind: Defaulted<'agent' | 'membership' | 'listing'>;
  owner: string;
  handle: string | null;
  tier: 'AGENT' | 'EXECUTOR' | null;
  depth: string | null;
  amount: bigint;
  status: 'awaiting-payment' | 'paid' | 'minting' | 'minted' | 'failed' | 'expired';
  pay: Defaulted<'card' | 'usdc'>;
  processor_session: string | null;
  checkout_url: string | null;
  details: JsonDoc;
  created_at: Defaulted<Date>;
  expires_at: Date;
  paid_at: Date | null;
  payment_intent: Defaulted<string | null>;
  suspended_at: Defaulted<Date | null>;
}

interface PaymentReversalsTable {
  payment_intent: string;
  reference: string;
  state: 'refunded' | 'open' | 'won' | 'lost';
  updated_at: Date;
}

interface MembershipWalletsTable {
  member: string;
  wallet: string;
  added_at: Date;
}

interface SignInNoncesTable {
  nonce: string;
  wallet: string;
  expires_at: Date;
}

interface CardEventsTable {
  event_id: string;
  type: string;
  session_id: string | null;
  received_at: Defaulted<Date>;
}

interface AgentsTable {
  handle: string;
  checkout_id: string;
  owner: string;
  tier: 'AGENT' | 'EXECUTOR';
  depth: string | null;
  status: 'minting' | 'active' | 'paused' | 'suspended' | 'retired';
  chain_id: number;
  contract: string;
  token_id: bigint;
  account: string;
  session_key: string;
  session_key_index: bigint;
  mandate_version: number;
  mint_tx: string;
  display_name: string | null;
  about: string | null;
  since: Defaulted<Date>;
  epoch: Defaulted<number>;
  holds: Defaulted<string[]>;
}

interface MandatesTable {
  handle: string;
  version: number;
  text: string;
  structured: JsonDoc;
  hash: string;
  status: 'proposed' | 'active' | 'superseded';
  tx: string | null;
  created_at: Defaulted<Date>;
}

interface OwnersBehindTable {
  owner: string;
  behind: string | null;
  seen_at: Date;
}

interface OwnerActsTable {
  id: string;
  handle: string;
  kind: 'mandate' | 'pause' | 'resume' | 'rotate' | 'retire';
  owner: string;
  epoch: number;
  nonce: bigint;
  since_block: bigint;
  deadline: Date;
  version: number | null;
  detail: JsonDoc;
  signatures: ColumnType<string[] | null, string | null, string | null>;
  status: 'proposed' | 'signed' | 'done' | 'failed' | 'replaced';
  reason: string | null;
  tx: string | null;
  created_at: Date;
  updated_at: Date;
}

interface OwnerSettingsTable {
  wallet: string;
  on_flagged: 'stop' | 'ask';
  updated_at: Defaulted<Date>;
}

interface ListingsTable {
  listing_ref: string;
  seq: GeneratedAlways<bigint>;
  handle: string;
  asset_key: string;
  asset: JsonDoc;
  category: string;
  chain: string;
  description: string;
  ask: bigint;
  floor: bigint | null;
  negotiable: boolean;
  gate: 'deposit' | 'owner-signed';
  featured: Defaulted<boolean>;
  status: 'live' | 'dealing' | 'sold' | 'dropped';
  listed_at: Defaulted<Date>;
}

interface ChainListingsTable {
  handle: string;
  token_key: string;
  lot: string;
  touched_at: Date;
  over_at: Date | null;
  taking_since: Date | null;
}

interface PledgesTable {
  id: string;
  seq: GeneratedAlways<bigint>;
  asset_key: string;
  listing_ref: string;
  wallet: string;
  lender: string | null;
  until: Date | null;
  source: 'listing' | 'owner' | 'operator';
  created_at: Defaulted<Date>;
  released_at: Date | null;
}

interface LotsTable {
  asset_key: string;
  category: string;
  chain: string;
  price_to_beat: bigint;
  open: Defaulted<boolean>;
  updated_at: Defaulted<Date>;
}

interface OrdersTable {
  order_id: string;
  seq: GeneratedAlways<bigint>;
  handle: string;
  owner: string;
  side: 'buy' | 'sell';
  asset_key: string;
  listing_ref: string;
  category: string;
  limit_price: bigint;
  opening_bid: bigint | null;
  status: 'resting' | 'matched' | 'filled' | 'cancelled' | 'expired' | 'unwound';
  created_at: Defaulted<Date>;
  expires_at: Date;
  left_at: Date | null;
}

interface AuctionsTable {
  auction_id: string;
  seq: GeneratedAlways<bigint>;
  listing_ref: string;
  format: 'dutch' | 'ascending';
  start_price: bigint | null;
  reserve: bigint;
  window_ms: number;
  extension_ms: number;
  starts_at: Date;
  ends_at: Date;
  extensions: Defaulted<number>;
  price: Defaulted<bigint | null>;
  status: 'open' | 'won' | 'unsold' | 'withdrawn';
  deal_id: Defaulted<string | null>;
  ended_at: Defaulted<Date | null>;
}

interface MatchesTable {
  match_id: string;
  seq: GeneratedAlways<bigint>;
  deal_id: string;
  asset_key: string;
  category: string;
  chain: string;
  sell_order: string;
  buy_order: string;
  price: bigint;
  matched_at: Defaulted<Date>;
  settled_at: Date | null;
  tx: string | null;
}

export type DealState =
  | 'determining'
  | 'awaiting-owner'
  | 'settling'
  | 'settled'
  | 'recorded'
  | 'stopped'
  | 'failed';

interface DealsTable {
  deal_id: string;
  match_id: string;
  seller: string;
  buyer: string;
  price: bigint;
  fee: bigint;
  state: DealState;
  deadline: Date | null;
  findings: ColumnType<unknown[], string | undefined, string>;
  tx: string | null;
  settled_block: Defaulted<bigint | null>;
  reason: string | null;
  created_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
}

interface ReservationsTable {
  order_id: string;
  handle: string;
  amount: bigint;
  state: 'held' | 'spent' | 'released';
  updated_at: Defaulted<Date>;
}

interface CloseCallsTable {
  close_call_id: string;
  seq: GeneratedAlways<bigint>;
  lot: string;
  category: string;
  chain: string;
  hour: Date;
}

export type RegisterName = 'sanctions' | 'known-scam' | 'stolen' | 'recalled' | 'comparables';

interface RegisterImportsTable {
  id: GeneratedAlways<bigint>;
  register: RegisterName;
  source: string;
  rows: number;
  as_of: Date;
  imported_at: Defaulted<Date>;
}

interface RegisterEntriesTable {
  register: RegisterName;
  key: string;
  source: string;
  detail: JsonDoc;
  import_id: bigint;
}

interface RegisterListsTable {
  register: RegisterName;
  source: string;
  as_of: Date;
  rows: bigint;
  import_id: bigint;
}

interface RegisterFetchesTable {
  register: RegisterName;
  source: string;
  tried_at: Date;
  succeeded_at: Date | null;
  fault: string | null;
  published_at: Date | null;
}

interface BatchesTable {
  batch_id: GeneratedAlways<bigint>;
  root: string;
  size: number;
  status: 'open' | 'anchored';
  tx: string | null;
  block: bigint | null;
  created_at: Defaulted<Date>;
  anchored_at: Date | null;
}

interface RecordsTable {
  record_id: string;
  seq: GeneratedAlways<bigint>;
  kind: string;
  handle: string | null;
  subject: string;
  summary: string;
  body: JsonDoc;
  evidence: JsonDoc | null;
  hash: string;
  signature: string;
  batch_id: bigint | null;
  leaf_index: number | null;
  created_at: Defaulted<Date>;
}

interface RecordPartiesTable {
  record_id: string;
  handle: string;
}

interface CertificatesTable {
  token_key: string;
  asset_key: string;
  noted_at: Defaulted<Date>;
}

interface CertificateTransfersTable {
  token_id: string;
  holder: string;
  receiver: string;
  nonce: string;
  deadline: Date;
  tx: string | null;
  created_at: Defaulted<Date>;
}

interface ChainCursorsTable {
  name: string;
  block: bigint;
}

interface PaymentsTable {
  payment_id: string;
  network: string;
  payer: string;
  nonce: string;
  method: string;
  path: string;
  body_hash: string;
  proof: string;
  amount: bigint;
  asset: string;
  status: 'working' | 'stored' | 'settling' | 'settled' | 'failed';
  response: JsonDoc | null;
  receipt: JsonDoc | null;
  valid_before: Date;
  lease_holder: string | null;
  lease_until: Date | null;
  created_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
  identifier: string | null;
}

interface SignatureChallengesTable {
  nonce: string;
  wallet: string;
  method: string;
  path: string;
  body_hash: string;
  message: string;
  expires_at: Date;
  used_at: Date | null;
  created_at: Defaulted<Date>;
}

interface OperatorKeysTable {
  id: string;
  name: string;
  hash: string;
  scopes: string[];
  created_at: Defaulted<Date>;
  revoked_at: Date | null;
}

interface AgentLogTable {
  entry_id: string;
  seq: GeneratedAlways<bigint>;
  handle: string;
  owner: string;
  topic: string;
  mark: string;
  action: string;
  lot: string | null;
  listing_ref: string | null;
  order_id: string | null;
  says: string;
  figures: JsonDoc<Record<string, string>>;
  at: Date;
}

interface IdempotencyKeysTable {
  key: string;
  scope: string;
  body_hash: string;
  response: JsonDoc | null;
  created_at: Generated<Date>;
}

interface AppealsTable {
  record_id: string;
  appeal_id: string;
  wallet: string;
  filed_at: Date;
  overturned: boolean;
}

interface EventOutboxTable {
  seq: GeneratedAlways<bigint>;
  xact: GeneratedAlways<string>;
  kind: string;
  subject: string;
  body: JsonDoc;
}

interface PublicEventsTable {
  id: bigint;
  kind: 'match' | 'close-call' | 'listing' | 'order-book' | 'activity';
  body: JsonDoc;
  told_at: Defaulted<Date>;
}

interface EventCounterTable {
  single: Defaulted<boolean>;
  last: bigint;
}

interface WebhookSubscriptionsTable {
  id: string;
  wallet: string;
  url: string;
  kinds: string[];
  secret: string;
  status: Defaulted<'active' | 'disabled'>;
  failing_since: Date | null;
  reason: string | null;
  created_at: Date;
}

interface OwnerNewsTable {
  seq: GeneratedAlways<bigint>;
  kind: string;
  handle: string;
  body: JsonDoc;
  at: Defaulted<Date>;
}

interface WebhookDeliveriesTable {
  id: string;
  seq: GeneratedAlways<bigint>;
  subscription_id: string;
  kind: string;
  body: string;
  status: Defaulted<'pending' | 'delivered' | 'failed'>;
  attempts: Defaulted<number>;
  next_attempt_at: Date;
  lease_until: Date | null;
  answered: number | null;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface Tables {
  actor_births: ActorBirthsTable;
  workers: WorkersTable;
  rate_paces: RatePacesTable;
  actors: ActorsTable;
  mailbox: MailboxTable;
  timers: TimersTable;
  effects: EffectsTable;
  signer_keys: SignerKeysTable;
  signer_transactions: SignerTransactionsTable;
  checkouts: CheckoutsTable;
  card_events: CardEventsTable;
  payment_reversals: PaymentReversalsTable;
  membership_wallets: MembershipWalletsTable;
  sign_in_nonces: SignInNoncesTable;
  agents: AgentsTable;
  mandates: MandatesTable;
  owner_acts: OwnerActsTable;
  owner_settings: OwnerSettingsTable;
  owners_behind: OwnersBehindTable;
  listings: ListingsTable;
  chain_listings: ChainListingsTable;
  pledges: PledgesTable;
  lots: LotsTable;
  orders: OrdersTable;
  auctions: AuctionsTable;
  matches: MatchesTable;
  deals: DealsTable;
  reservations: ReservationsTable;
  close_calls: CloseCallsTable;
  certificates: CertificatesTable;
  certificate_transfers: CertificateTransfersTable;
  chain_cursors: ChainCursorsTable;
  register_imports: RegisterImportsTable;
  register_entries: RegisterEntriesTable;
  register_lists: RegisterListsTable;
  register_fetches: RegisterFetchesTable;
  batches: BatchesTable;
  records: RecordsTable;
  record_parties: RecordPartiesTable;
  appeals: AppealsTable;
  payments: PaymentsTable;
  signature_challenges: SignatureChallengesTable;
  operator_keys: OperatorKeysTable;
  idempotency_keys: IdempotencyKeysTable;
  agent_log: AgentLogTable;
  event_outbox: EventOutboxTable;
  public_events: PublicEventsTable;
  event_counter: EventCounterTable;
  webhook_subscriptions: WebhookSubscriptionsTable;
  owner_news: OwnerNewsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
