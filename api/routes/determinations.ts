import { Type } from 'typebox';
import { CATEGORIES, type Category } from '../../agents/categories.ts';
import { readAddress } from '../../agents/determinations/address.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { chargeFor } from '../../agents/market/prices.ts';
import { CENT, parseUsd, toUsd } from '../../agents/money.ts';
import { fileTier, fileWallet } from '../../runtime/acts/file-determination.ts';
import { determineTier, readTierFacts, type TierFacts } from '../../runtime/evidence/determine-tier.ts';
import { determineWallet } from '../../runtime/evidence/determine-wallet.ts';
import type { Services } from '../../runtime/services.ts';
import type { App } from '../app.ts';
import type { PaymentGate } from '../payment/gate.ts';
import type { AdmitMember } from '../payment/sign-in.ts';
import { type PaidRegistry, registerPaid } from '../plugins/payment.ts';
import { CategoryName, Depth, Handle, problems, UsdIn, Verdict } from '../schemas.ts';
import { AssetBody } from './orders.ts';

const DEFAULT_DEPTH = '2-of-2';

/** What is added to an answer is for the reader to see: only the members that are promised are named here. */
const open = { additionalProperties: true } as const;

const WalletAnswer = Type.Object(
  {
    verdict: Verdict,
    address: Type.String(),
    addressType: Type.Enum(['evm', 'solana']),
    chainId: Type.Union([Type.Integer(), Type.Null()]),
    confidence: Type.Integer(),
    reasons: Type.Array(Type.String()),
    checks: Type.Array(Type.String()),
    evidence: Type.Object({}, open),
    recorded: Type.Object({ filed: Type.Boolean() }, open),
  },
  open,
);

const TierAnswer = Type.Object(
  {
    tier: Type.Enum(['tier2', 'tier3']),
    category: CategoryName,
    priceUsd: Type.Optional(Type.Number()),
    verdict: Verdict,
    flagged: Type.Array(Type.String()),
    inconclusive: Type.Array(Type.String()),
    determinations: Type.Array(Type.Object({}, open)),
    determinationsRun: Type.Array(Type.String()),
    determinationsNotRun: Type.Array(Type.String()),
    note: Type.Optional(Type.String()),
    recorded: Type.Object({ filed: Type.Boolean() }, open),
  },
  open,
);

const Proposal = Type.Object(
  {
    side: Type.Enum(['buy', 'sell']),
    asset: Type.Optional(AssetBody),
    listingRef: Type.Optional(Type.String({ maxLength: 64 })),
    category: CategoryName,
    priceUsd: UsdIn,
    counterparty: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    chainId: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, description: 'the deal as the agent would sign it' },
);

const TierBody = Type.Object(
  {
    lotRef: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    seller: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    listingRef: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    asset: Type.Optional(AssetBody),
    handle: Type.Optional(Handle),
    proposal: Type.Optional(Proposal),
    priceUsd: Type.Optional(UsdIn),
    subject: Type.Optional(AssetBody),
    depth: Type.Optional(Depth),
  },
  { additionalProperties: false },
);

interface Deps {
  readonly services: Services;
  readonly gate: PaymentGate;
  readonly registry: PaidRegistry;
  readonly admit: AdmitMember;
}

const paidProblems = (
  ...more: readonly ('address-missing' | 'address-malformed' | 'no-facts' | 'unknown-category')[]
) => problems('bad-request', 'payment-required', 'payment-invalid', 'settlement-failed', 'conflict', ...more);

/** The paid routes: one wallet determination, and two tiers for each goods category, standing one by one. */
export function determinationRoutes(app: App, deps: Deps): void {
  walletRoute(app, deps);
  for (const tier of ['tier2', 'tier3'] as const) {
    for (const category of CATEGORIES) tierRoute(app, deps, tier, category);
    // Any other category is a bad request, and nobody is asked to pay for it.
    app.post(
      `/determinations/${tier}/:category`,
      {
        schema: {
          hide: true,
          params: Type.Object({ category: Type.String() }),
          response: problems('unknown-category'),
        },
      },
      async (request) => {
        throw new AppError(
          'unknown-category',
          `There is no category "${request.params.category}": use one of ${CATEGORIES.join(', ')}.`,
        );
      },
    );
  }
}

function walletRoute(app: App, { services, gate, registry, admit }: Deps): void {
  const { config } = services;
  const amount = (usd: number | string | undefined) =>
    usd === undefined ? 0n : parseUsd(usd, 'transactionUsd');
  registerPaid(
    app,
    {
      db: services.db,
      gate,
      baseUrl: config.baseUrl,
      registry,
      callsPerMinute: config.rateLimitReads,
      admit,
    },
    {
      method: 'GET',
      path: '/determination',
      operationId: 'safeHandshakeDetermination',
      description: 'A determination on one counterparty wallet: CLEAN or FLAGGED, with evidence',
      signIn: ['eip155:1002', 'eip155:84532'],
      schema: {
        querystring: Type.Object({
          address: Type.Optional(
            Type.String({ description: 'EVM address, or Solana base58; without it: `address-missing`' }),
          ),
          chainId: Type.Optional(
            Type.Integer({ minimum: 1, description: 'the chain the determination is about' }),
          ),
          transactionUsd: Type.Optional(
            Type.String({ maxLength: 32, description: 'the price is one percent of it, at least one cent' }),
          ),
          depth: Type.Optional(Depth),
        }),
        response: { 200: WalletAnswer, ...paidProblems('address-missing', 'address-malformed') },
      },
      listed: CENT,
      price: ({ query }) => chargeFor(config.pricing, 'wallet-determination', amount(query.transactionUsd)),
      discovery: {
        input: { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', chainId: 1002 },
        inputSchema: {
          properties: {
            address: {
              type: 'string',
              description: 'EVM address (0x and 40 hex digits) or Solana base58 address',
            },
            chainId: { type: 'integer', description: 'the chain the determination is about' },
            transactionUsd: { type: 'string', description: 'value of the transaction in US dollars' },
            depth: { type: 'string', enum: ['1-of-1', '2-of-2', 'superconsensus'] },
          },
          required: ['address'],
        },
        output: { verdict: 'CLEAN', address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', chainId: 1002 },
      },
      before({ address }) {
        if (address === undefined || address === '')
          throw new AppError('address-missing', 'address: add the EVM or Solana address to determine on.');
        if (typeof address !== 'string') throw new AppError('address-malformed', 'address: give it once.');
        readAddress(address);
      },
      check({ query }) {
        const { type } = readAddress(query.address as string);
        if (type === 'solana' && query.chainId !== undefined) {
          throw badField('chainId', 'leave it out for a Solana address: its chain is named solana');
        }
      },
      gather: async ({ query }, asker) =>
        fileWallet(
          services,
          await determineWallet(services.evidence, {
            address: query.address as string,
            chainId: query.chainId,
            depth: query.depth ?? DEFAULT_DEPTH,
            asker,
          }),
        ),
      // Language models sit on the largest panel.
      ahead: ({ query }) => query.depth !== 'superconsensus',
      handler: async (filed) => filed,
    },
  );
}

function tierRoute(
  app: App,
  { services, gate, registry }: Deps,
  tier: 'tier2' | 'tier3',
  category: Category,
): void {
  const { config } = services;
  const price = () => chargeFor(config.pricing, `${tier}-${category}`);
  registerPaid(
    app,
    { db: services.db, gate, baseUrl: config.baseUrl, registry, callsPerMinute: config.rateLimitReads },
    {
      method: 'POST',
      path: `/determinations/${tier}/${category}`,
      operationId: `${tier}-${category}`,
      description: `${tier === 'tier2' ? 'Tier 2 evaluation' : 'Tier 3 certified evaluation'}: ${category.replaceAll('-', ' ')}`,
      schema: {
        body: TierBody,
        response: { 200: TierAnswer, ...paidProblems('no-facts', 'unknown-category') },
      },
      listed: CENT,
      price,
      discovery: {
        input: {
          asset: { chainId: 1002, contract: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', tokenId: '1' },
        },
        inputSchema: {
          properties: {
            lotRef: { type: 'string', description: 'with seller: shill bidding and collusion' },
            seller: { type: 'string', description: 'seller address or handle' },
            listingRef: { type: 'string', description: 'the listing the asset stands under' },
            asset: { type: 'object', description: 'contract with tokenId, or a serial: double pledge' },
            handle: { type: 'string', description: 'with proposal: mandate compliance' },
            proposal: { type: 'object', description: 'the deal as the agent would sign it' },
            priceUsd: { type: 'number', description: 'price intelligence' },
            ...(tier === 'tier3'
              ? { subject: { type: 'object', description: 'what to trace: provenance' } }
              : {}),
            depth: { type: 'string', enum: ['1-of-1', '2-of-2', 'superconsensus'] },
          },
        },
        output: { tier, category, verdict: 'CLEAN' },
      },
      check({ body }) {
        readTierFacts(tier, body as TierFacts);
      },
      ahead: () => false,
      async gather({ body }) {
        const { depth, ...facts } = body as TierFacts & { depth?: typeof DEFAULT_DEPTH };
        const answer = await determineTier(services.evidence, {
          tier,
          category,
          facts,
          depth: depth ?? DEFAULT_DEPTH,
          priceUsd: toUsd(price()),
        });
        return await fileTier(services, answer);
      },
      handler: async (filed) => filed,
    },
  );
}
