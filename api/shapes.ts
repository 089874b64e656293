import { type Static, Type } from 'typebox';
import { SERIAL_KINDS } from '../agents/assets.ts';
import { TIER_DETERMINATIONS } from '../agents/determinations/panel/types.ts';
import { CONTROL } from '../agents/market/control.ts';
import { FRAUD_KINDS, OUTCOMES } from '../agents/records/outcome.ts';
import { RECORD_KINDS } from '../agents/records/record.ts';
import { WITHDRAWALS } from '../agents/records/withdrawal.ts';
import { DisputeDocument } from './certificates/dispute-document.ts';
import {
  AssetKey,
  CategoryName,
  ChainName,
  Depth,
  EvmAddress,
  Handle,
  Hash,
  TierName,
  Time,
  Usd,
} from './schemas.ts';

/** The rows and documents that programs and people both read: a route answers them, and a page shows them. */

export const ControlWord = Type.Enum([...CONTROL], {
  description: 'whether the chain shows that it is the seller’s to sell; a proof displaces a claim',
});

export const CatalogueRow = Type.Object({
  listingRef: Type.String(),
  seller: EvmAddress,
  contract: Type.Union([EvmAddress, Type.Null()]),
  tokenId: Type.Union([Type.String(), Type.Null()]),
  lot: AssetKey,
  description: Type.String(),
  askUsd: Usd,
  negotiable: Type.Boolean(),
  category: CategoryName,
  chain: Type.Union([ChainName, Type.Null()]),
  featured: Type.Boolean(),
  control: ControlWord,
  listedAt: Time,
});
export type CatalogueRow = Static<typeof CatalogueRow>;

/** One number a row, from which nobody can tell a limit from a last bid. */
export const OrderBookRow = Type.Object({
  lot: AssetKey,
  category: CategoryName,
  chain: ChainName,
  priceToBeatUsd: Usd,
  updatedAt: Time,
});
export type OrderBookRow = Static<typeof OrderBookRow>;

export const MatchRow = Type.Object({
  matchId: Type.String(),
  lot: AssetKey,
  category: CategoryName,
  chain: ChainName,
  state: Type.Enum(['settling', 'settled', 'stopped'], {
    description: '`stopped`: it came to nothing, and shows no clearing price',
  }),
  clearingPriceUsd: Type.Optional(Usd),
  matchedAt: Time,
  settledAt: Type.Optional(Time),
  tx: Type.Optional(Hash),
});
export type MatchRow = Static<typeof MatchRow>;

/** A close call without any figure, side, party or exact time. */
export const CloseCallRow = Type.Object({
  closeCallId: Type.String(),
  lot: AssetKey,
  category: CategoryName,
  chain: ChainName,
  hour: Time,
});
export type CloseCallRow = Static<typeof CloseCallRow>;

const AgentStatus = Type.Enum(['minting', 'active', 'paused', 'suspended', 'retired']);

const directoryFields = {
  handle: Handle,
  tier: TierName,
  depth: Type.Union([Depth, Type.Null()]),
  status: AgentStatus,
  owner: EvmAddress,
  account: EvmAddress,
  chainId: Type.Integer(),
  contract: EvmAddress,
  tokenId: Type.String(),
  categories: Type.Array(CategoryName, { description: 'what the mandate allows; empty means any' }),
  since: Time,
};
export const DirectoryRow = Type.Object(directoryFields);
export type DirectoryRow = Static<typeof DirectoryRow>;

const Cap = Type.Object({
  token: EvmAddress,
  perDealUsd: Type.Union([Usd, Type.Null()]),
  perDayUsd: Type.Union([Usd, Type.Null()]),
  perWeekUsd: Type.Union([Usd, Type.Null()]),
  perMonthUsd: Type.Union([Usd, Type.Null()]),
  totalUsd: Type.Union([Usd, Type.Null()]),
  balanceUsd: Type.Number({ description: 'what the account holds, whatever it has promised' }),
  spendableUsd: Type.Union([Usd, Type.Null()], {
    description:
      'the most that one payment may be now: no more than the caps leave, and no more than the account holds. What is in flight is not counted: its owner alone sees that',
  }),
});

/**
 * `caps` is what remains of each limit now and what the account holds, read from the chain; null for a limit that the
 * mandate does not set.
 */
export const AgentDocument = Type.Object({
  ...directoryFields,
  displayName: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  heldBy: Type.Optional(
    Type.Array(Type.Enum(['owner', 'owner-on-chain', 'guardian', 'mandate-end', 'new-owner', 'operator']), {
      description: 'what keeps it from trading; absent while nothing does',
    }),
  ),
  mandate: Type.Object({
    text: Type.String(),
    structured: Type.Object({}, { additionalProperties: true }),
    hash: Hash,
    version: Type.Integer(),
  }),
  caps: Type.Union([
    Type.Object({ asOfBlock: Type.String(), remaining: Type.Array(Cap) }),
    Type.Object({ unavailable: Type.String({ description: 'why the chain could not be read' }) }),
  ]),
  issued: Type.Object({
    mintTx: Hash,
    accountTx: Hash,
    mandateHashOnChain: Type.Union([Hash, Type.Null()]),
    orders: Type.Integer(),
    matches: Type.Integer(),
  }),
});
export type AgentDocument = Static<typeof AgentDocument>;

export const FraudKindName = Type.Enum([...FRAUD_KINDS], {
  description: 'what the fraud was; it is held against the determination that looks for it alone',
});

const RecordKindName = Type.Enum([...RECORD_KINDS]);
const RecordState = Type.Enum(['inscribing', 'inscribed', 'anchored']);
const LedgerEntry = Type.Object({
  chainId: Type.Integer(),
  contract: EvmAddress,
  tx: Hash,
  batch: Type.String(),
});

export const ActivityRow = Type.Object({
  recordId: Type.String(),
  kind: RecordKindName,
  state: RecordState,
  at: Time,
  subject: Type.String(),
  hash: Hash,
  summary: Type.String(),
  ledger: Type.Optional(LedgerEntry),
  withdrawn: Type.Optional(
    Type.Enum([...WITHDRAWALS], {
      description: 'why its verdict no longer counts; left out where it counts, and in an event',
    }),
  ),
  recordUrl: Type.String(),
});
export type ActivityRow = Static<typeof ActivityRow>;

/** `record` is exactly what is hashed, so no member of it may be added, dropped or converted on the way out. */
const RecordLink = Type.Object({ recordId: Type.String(), recordUrl: Type.String(), filedAt: Time });

export const OutcomeDocument = Type.Object({
  by: Type.String({ description: '`operator`, or the wallet of a party that signed it' }),
  outcome: Type.Enum([...OUTCOMES]),
  kind: Type.Optional(FraudKindName),
  evidence: Type.Array(Type.String(), { description: 'hashes and URLs' }),
  filedAt: Time,
});

export const VerdictRates = Type.Object({
  tooFewBelow: Type.Integer({ description: 'a rate of fewer records than this is null' }),
  items: Type.Array(
    Type.Object({
      determination: Type.Enum(['wallet', ...TIER_DETERMINATIONS]),
      verdict: Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']),
      by: Type.Enum(['operator', 'parties'], { description: 'who says what turned out' }),
      honest: Type.Integer(),
      fraudulent: Type.Integer(),
      contested: Type.Integer({ description: 'records of which signers say both; they make no rate' }),
      wrongPercent: Type.Union([Type.Number(), Type.Null()], {
        description:
          'of CLEAN the fraudulent, of FLAGGED the honest; null: too few to tell, or INCONCLUSIVE, which accuses nobody',
      }),
    }),
  ),
});
export type VerdictRates = Static<typeof VerdictRates>;

export const RecordDocument = Type.Object({
  recordId: Type.String(),
  state: RecordState,
  record: Type.Object({}, { additionalProperties: true }),
  hash: Hash,
  signature: Type.Object({
    signer: EvmAddress,
    value: Type.String({ pattern: '^0x[0-9a-f]+$' }),
    typedData: Type.Object({}, { additionalProperties: true }),
  }),
  evidence: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  withheld: Type.Optional(
    Type.String({ description: 'why the evidence that the record was made of is not served' }),
  ),
  proof: Type.Union([
    Type.Object({
      leaf: Hash,
      index: Type.Integer(),
      siblings: Type.Array(Hash),
      root: Hash,
      size: Type.Integer(),
    }),
    Type.Null(),
  ]),
  ledger: Type.Union([LedgerEntry, Type.Null()]),
  /** The record of the appeal against this one. */
  appeal: Type.Union([RecordLink, Type.Null()]),
  /** The record against which this one is the appeal. */
  appealOf: Type.Union([RecordLink, Type.Null()]),
  retracted: Type.Optional(
    Type.Object(
      { reason: Type.String(), at: Time },
      { description: 'the record was taken back, and why: it counts against nobody' },
    ),
  ),
  overturned: Type.Optional(
    Type.Boolean({
      description:
        'true: the appeal against it, or one against its record, overturned it, and it counts against nobody; else left out',
    }),
  ),
  outcomes: Type.Optional(
    Type.Array(OutcomeDocument, {
      description: 'what turned out, as parties and the operator say: it judges nobody',
    }),
  ),
  recordUrl: Type.String(),
  spec: Type.String(),
});
export type RecordDocument = Static<typeof RecordDocument>;

const PriceRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  amountUsd: Usd,
  listedUsd: Usd,
  charged: Type.Boolean({
    description:
      'false: what a provider asks for such a name, the reference of an ask; nobody is charged it here',
  }),
  category: Type.Optional(CategoryName),
  minUsd: Type.Optional(Usd),
  maxUsd: Type.Optional(Usd),
  basisPoints: Type.Optional(Type.Integer()),
});

export const PriceList = Type.Object({
  currency: Type.String(),
  version: Type.String(),
  testnet: Type.Boolean(),
  items: Type.Array(PriceRow),
});

const Part = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'down']),
    detail: Type.Optional(Type.String()),
    latencyMs: Type.Integer(),
  },
  { additionalProperties: true },
);

export const HealthDocument = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'down', 'leaving'], {
    description: 'down and leaving come with 503; leaving: it has been told to end, and serves until then',
  }),
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  checks: Type.Object({
    database: Part,
    queue: Part,
    chains: Type.Record(Type.String(), Part),
    facilitator: Part,
    registers: Type.Optional(Part),
    payments: Type.Optional(Part),
  }),
});
export type HealthDocument = Static<typeof HealthDocument>;

/** A certificate; the document also serves as its ERC-721 metadata. */
export const CertificateDocument = Type.Object({
  name: Type.String(),
  description: Type.String(),
  image: Type.String({ description: 'an SVG picture, as a data URI' }),
  external_url: Type.String(),
  attributes: Type.Array(Type.Object({ trait_type: Type.String(), value: Type.String() })),
  tokenId: Type.String(),
  contract: EvmAddress,
  chainId: Type.Integer(),
  serial: AssetKey,
  serialKind: Type.Enum([...SERIAL_KINDS]),
  number: Type.String({ description: 'the serial itself' }),
  state: Type.Enum(['live', 'void', 'retired'], {
    description: 'void: an issuer found it wrong; it stays with its holder, and settles no more',
  }),
  limit: Type.String({ description: 'what the certificate does not prove' }),
  holder: Type.Union([EvmAddress, Type.Null()]),
  controller: Type.Union([EvmAddress, Type.Null()], {
    description: 'who signs for it: the holder, or the owner of the agent whose account holds it',
  }),
  handle: Type.Union([Handle, Type.Null()], { description: 'the agent whose account holds it' }),
  listingRef: Type.Union([Type.String(), Type.Null()]),
  asOfBlock: Type.String(),
  history: Type.Array(
    Type.Object({
      kind: Type.Enum(['issued', 'transferred', 'voided', 'retired']),
      from: Type.Union([EvmAddress, Type.Null()]),
      to: Type.Union([EvmAddress, Type.Null()]),
      reason: Type.Union([Type.String(), Type.Null()]),
      block: Type.String(),
      tx: Hash,
    }),
    { description: 'newest first' },
  ),
  historyComplete: Type.Boolean({ description: 'false where the issue lies further back than was looked' }),
  disputes: Type.Array(DisputeDocument, {
    description: 'those on which the operator acted, then the newest; at most 50',
  }),
});
export type CertificateDocument = Static<typeof CertificateDocument>;

/** The EIP-712 document that the certificates' contract wants signed for a transfer. */
export const CertificateTypedData = Type.Object({
  domain: Type.Object({
    name: Type.String(),
    version: Type.String(),
    chainId: Type.Integer(),
    verifyingContract: EvmAddress,
  }),
  types: Type.Object({
    Transfer: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
  }),
  primaryType: Type.Literal('Transfer'),
  message: Type.Object({
    tokenId: Type.String(),
    from: EvmAddress,
    to: EvmAddress,
    nonce: Type.String(),
    deadline: Type.String(),
  }),
});
