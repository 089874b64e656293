import { type Static, Type } from 'typebox';
import { CATEGORIES, type Category } from '../../agents/categories.ts';
import { readHost } from '../../agents/determinations/origin/host.ts';
import { OriginResult } from '../../agents/determinations/origin/origin-shape.ts';
import { CONFIDENCE_BASES } from '../../agents/determinations/panel/types.ts';
import { askedTransaction } from '../../agents/determinations/transaction/transaction-request.ts';
import {
  AssetChangeShape,
  SimulationShape,
} from '../../agents/determinations/transaction/transaction-shape.ts';
import { readAddress } from '../../agents/determinations/wallet/address.ts';
import { Coverage } from '../../agents/determinations/wallet/coverage-shape.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { chargeFor } from '../../agents/market/pricing/prices.ts';
import { CENT, parseUsd, toUsd } from '../../agents/money.ts';
import { determineTier, readTierFacts, type TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { fileTier, fileWallet } from '../../runtime/determinations/file-determination.ts';
import { requireOneDeal } from '../../runtime/determinations/one-deal.ts';
import { requireOneThing } from '../../runtime/determinations/one-thing.ts';
import type { Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import { AttributesBody } from '../market/lot-shapes.ts';
import { AssetBody } from '../market/orders.ts';
import { CategoryName, Depth, EvmAddress, Handle, problems, UsdIn, Verdict } from '../schemas.ts';
import type { PaymentGate } from '../x402/gate.ts';
import { type PaidRegistry, registerPaid } from '../x402/payment-plugin.ts';
import type { AdmitMember } from '../x402/sign-in.ts';
import { assumedChain } from './assumed-chain.ts';
import { tierCannotBeClean, walletCannotBeClean } from './cannot-judge.ts';
import {
  TRANSACTION_EXAMPLE,
  TRANSACTION_INPUT,
  tierExample,
  WALLET_EXAMPLE,
} from './determination-examples.ts';

const DEFAULT_DEPTH = '2-of-2';

/** Only the members that are promised to clients are in the schema; an answer may have more. */
const open = { additionalProperties: true } as const;

const WalletAnswer = Type.Object(
  {
    verdict: Verdict,
    address: Type.String(),
    addressType: Type.Enum(['evm', 'solana']),
    chainId: Type.Union([Type.Integer(), Type.Null()]),
    confidence: Type.Integer(),
    confidenceBasis: Type.Enum([...CONFIDENCE_BASES]),
    probabilities: Type.Optional(
      Type.Array(
        Type.Object({
          check: Type.String(),
          chain: Type.String(),
          of: Type.String(),
          probability: Type.Number(),
          labels: Type.Integer({ description: 'known outcomes that it was fitted to' }),
        }),
      ),
    ),
    reasons: Type.Array(Type.String()),
    checks: Type.Array(Type.String()),
    inconclusive: Type.Array(Type.String(), {
      description: 'the determination, and the checks as `determination/check`, that could not be judged',
    }),
    coverage: Coverage,
    simulation: Type.Optional(SimulationShape),
    assetChanges: Type.Optional(Type.Array(AssetChangeShape)),
    origin: Type.Optional(OriginResult),
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
    determinations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          verdict: Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']),
          confidence: Type.Integer(),
          confidenceBasis: Type.Enum([...CONFIDENCE_BASES]),
          coverage: Type.Optional(Coverage),
        },
        open,
      ),
    ),
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
    lotRef: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'with seller: shill bidding and collusion',
      }),
    ),
    seller: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'address or handle' })),
    listingRef: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'the listing of the asset, if it has one: double pledge runs on `asset` alone as well',
      }),
    ),
    asset: Type.Optional(AssetBody),
    handle: Type.Optional(Handle),
    proposal: Type.Optional(Proposal),
    priceUsd: Type.Optional(UsdIn),
    attributes: Type.Optional(AttributesBody),
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
) =>
  problems(
    'bad-request',
    'payment-required',
    'payment-invalid',
    'settlement-failed',
    'conflict',
    'gas-budget',
    ...more,
  );

/** Registers the paid routes: the wallet determination, and two tiers for each category, with a path each. */
export function determinationRoutes(app: App, deps: Deps): void {
  walletRoute(app, deps);
  for (const tier of ['tier2', 'tier3'] as const) {
    for (const category of CATEGORIES) tierRoute(app, deps, tier, category);
    // Answers 400 for an unknown category, so that nobody is asked to pay for it.
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

const Asked = {
  address: Type.Optional(
    Type.String({ description: 'EVM address, or Solana base58; without it: `address-missing`' }),
  ),
  chainId: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'the chain the determination is about. Of one that the service does not read (`/health` lists what it reads) the answer is never CLEAN; the 402 says so',
    }),
  ),
  transactionUsd: Type.Optional({
    ...UsdIn,
    description:
      'US dollars, zero or more, at most six decimals: the price is one percent of it, at least one cent',
  }),
  depth: Type.Optional(Depth),
} as const;

/** The longest call data: what fits into a body beside all else that is told. */
const DATA_LENGTH = 60_000;

const Transaction = Type.Object(
  {
    to: EvmAddress,
    data: Type.Optional(
      Type.String({ pattern: '^0x[0-9a-fA-F]*$', maxLength: DATA_LENGTH, description: 'call data' }),
    ),
    value: Type.Optional(Type.String({ pattern: '^[0-9]{1,39}$', description: 'wei, decimal' })),
    from: Type.Optional({
      ...EvmAddress,
      description:
        'who would send it. Left out, it is simulated for an address that nobody has, and the answer is never CLEAN',
    }),
  },
  {
    additionalProperties: false,
    description:
      'what the asker is to send: simulated at the pinned block of `chainId`, and kept in the record',
  },
);

const Origin = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'the site that asks for it, a URL or a host; the record keeps the host alone',
});

const AskedWithMore = Type.Object(
  { ...Asked, transaction: Type.Optional(Transaction), origin: Type.Optional(Origin) },
  { additionalProperties: false },
);

type WalletAsked = Static<typeof AskedWithMore>;

function addressWrong(code: 'address-missing' | 'address-malformed', message: string): AppError {
  return new AppError(code, `address: ${message}`, { errors: [{ path: 'address', message }] });
}

/** Checks on a question what its schema cannot express. @throws AppError */
function checkAsked({ address, chainId, transaction, origin }: WalletAsked): void {
  if (address === undefined || address === '')
    throw addressWrong('address-missing', 'add the EVM or Solana address to determine on.');
  const { type } = readAddress(address);
  if (type === 'solana' && chainId !== undefined)
    throw badField('chainId', 'leave it out for a Solana address: its chain is named solana');
  if (type === 'solana' && transaction !== undefined)
    throw badField('transaction', 'leave it out for a Solana address: only EVM transactions are simulated');
  if (transaction !== undefined) askedTransaction(transaction, chainId ?? null);
  if (origin !== undefined) readHost(origin);
}

function walletRoute(app: App, { services, gate, registry, admit }: Deps): void {
  const { config } = services;
  const paid = {
    ...{ db: services.db, gate, baseUrl: config.baseUrl, registry, admit },
    callsPerMinute: config.rateLimitReads,
  };
  const price = (asked: Pick<WalletAsked, 'transactionUsd'> | null | undefined) => {
    const usd = asked?.transactionUsd;
    const amount = usd === undefined ? 0n : parseUsd(usd, 'transactionUsd');
    return chargeFor(config.pricing, 'wallet-determination', amount);
  };
  const gather = async ({ address, depth, ...asked }: WalletAsked, asker: string) =>
    fileWallet(
      services,
      await determineWallet(services.evidence, {
        ...asked,
        address: address!,
        depth: depth ?? DEFAULT_DEPTH,
        asker,
      }),
    );
  const both = {
    signIn: ['eip155:1002', 'eip155:84532'],
    listed: CENT,
    handler: async (filed: Awaited<ReturnType<typeof gather>>) => filed,
  };
  const notice = async (asked: WalletAsked) => walletCannotBeClean(services.evidence, asked);
  registerPaid(app, paid, {
    ...both,
    method: 'GET',
    path: '/determination',
    operationId: 'safeHandshakeDetermination',
    description: 'A determination on one counterparty wallet: CLEAN or FLAGGED, with evidence',
    schema: {
      querystring: Type.Object(Asked),
      response: { 200: WalletAnswer, ...paidProblems('address-missing', 'address-malformed') },
    },
    price: ({ query }) => price(query),
    discovery: {
      input: { address: WALLET_EXAMPLE.address, chainId: 1002 },
      required: ['address'],
      output: WALLET_EXAMPLE,
    },
    before({ address }) {
      if (address === undefined || address === '') checkAsked({});
      if (typeof address !== 'string') throw addressWrong('address-malformed', 'give it once.');
      readAddress(address);
    },
    check: ({ query }) => checkAsked(query),
    notice: ({ query }) => notice(query),
    gather: ({ query }, asker) => gather(query, asker),
    // The largest panel asks language models, which cost too much for a payer who may not pay in the end.
    ahead: ({ query }) => query.depth !== 'superconsensus',
  });
  registerPaid(app, paid, {
    ...both,
    method: 'POST',
    path: '/determination',
    operationId: 'safeHandshakeTransaction',
    description:
      'A determination on one counterparty wallet, what a transaction would do, and the site that asks for it',
    schema: {
      body: AskedWithMore,
      response: { 200: WalletAnswer, ...paidProblems('address-missing', 'address-malformed') },
    },
    // Without a body it is the least: who asks for the price of a large transaction sends the body that he will pay for.
    price: ({ body }) => price(body),
    discovery: {
      input: TRANSACTION_INPUT,
      required: ['address'],
      output: TRANSACTION_EXAMPLE,
    },
    check: ({ body }) => checkAsked(body),
    notice: ({ body }) => notice(body),
    gather: ({ body }, asker) => gather(body, asker),
    ahead: ({ body }) => body.depth !== 'superconsensus',
  });
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
      discovery: tierExample(tier, category),
      async check({ body }) {
        readTierFacts(tier, body as TierFacts);
        const named = await requireOneThing(services.evidence, body as TierFacts);
        await requireOneDeal(services.evidence, category, body as TierFacts, named);
      },
      async notice({ body }) {
        const facts = body as TierFacts;
        const told = [assumedChain(facts), await tierCannotBeClean(services.evidence.db, facts)];
        return told.filter((one) => one !== null).join(' ') || null;
      },
      ahead: () => false,
      async gather({ body }, asker) {
        const { depth, ...facts } = body as TierFacts & { depth?: typeof DEFAULT_DEPTH };
        const answer = await determineTier(services.evidence, {
          tier,
          category,
          facts,
          depth: depth ?? DEFAULT_DEPTH,
          priceUsd: toUsd(price()),
          asker,
        });
        return await fileTier(services, answer);
      },
      handler: async (filed) => filed,
    },
  );
}
