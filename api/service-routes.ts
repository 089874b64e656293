import type { PaymentRequirements } from '@x402/core/types';
import { type Address, sameAddress } from '../agents/ids.ts';
import { CENT } from '../agents/money.ts';
import type { Facilitator } from '../chain/facilitator/facilitator.ts';
import { cardsOf, isProduction } from '../runtime/config/rules.ts';
import type { GasGuard } from '../runtime/payments/gas-guard.ts';
import type { Services } from '../runtime/services.ts';
import type { Readings } from '../runtime/telemetry/metrics.ts';
import { coverOf } from '../store/checkout/memberships.ts';
import type { Database } from '../store/database.ts';
import { waitingDeals } from '../store/deal/waiting-deals.ts';
import { listCatalogue } from '../store/market/catalogue.ts';
import { lotTitles } from '../store/market/lot-names.ts';
import { listMatches } from '../store/market/matches.ts';
import { latestAgentRecord } from '../store/records/records.ts';
import { accountTransactionRoutes } from './agent/account-transactions.ts';
import { agentLogRoutes } from './agent/agent-log.ts';
import { agentProfileRoutes } from './agent/agent-profile.ts';
import { agentSessionRoutes } from './agent/agent-session.ts';
import { agentTermsRoutes } from './agent/agent-terms.ts';
import { activityPlace, agentRoutes } from './agent/agents.ts';
import { metadataRoutes } from './agent/metadata.ts';
import { ownerWideRoutes } from './agent/owner-wide.ts';
import { assetRoutes } from './assets/assets.ts';
import { certificateRoutes } from './certificates/certificates.ts';
import { disputeRoutes } from './certificates/disputes.ts';
import { webhookRoutes } from './checkout/card-webhook.ts';
import { checkoutRoutes } from './checkout/checkout.ts';
import { newAgentRoutes } from './checkout/new-agent.ts';
import { purchaseRoutes } from './checkout/purchases.ts';
import { dashboardRoutes } from './dashboard/dashboard.ts';
import { dealRoutes } from './deal/deals.ts';
import { decisionRoutes } from './deal/decisions.ts';
import { deskRoutes } from './desk/desk.ts';
import { walletChains } from './desk/wallet-chains.ts';
import { appealRoutes } from './determinations/appeals.ts';
import { determinationRoutes } from './determinations/determinations.ts';
import { outcomeRoutes } from './determinations/outcomes.ts';
import { developerRoutes } from './developers/developers.ts';
import type { App, RouteModule } from './http/app.ts';
import { operatorKeys, operatorSignIn } from './http/auth/operator-key.ts';
import type { RequireOwner } from './http/auth/owner-signature.ts';
import { lotRoutes } from './market/lot.ts';
import { catalogueRow, marketRoutes, matchRow } from './market/market.ts';
import { orderRoutes } from './market/orders.ts';
import { ownOrderRoutes } from './market/own-orders.ts';
import { pledgeRoutes } from './market/pledges.ts';
import { mcpRoutes } from './mcp/mcp.ts';
import { domainTradeRoutes } from './names/domain-trades.ts';
import { domainRoutes } from './names/domains.ts';
import { operatorRoutes } from './operator/operator.ts';
import { originRoutes } from './origin/origin.ts';
import { issuerRoutes } from './records/issuer.ts';
import { recordRoutes } from './records/records.ts';
import { specRoutes } from './records/specs.ts';
import { listSnapshotRoutes } from './registers/list-snapshot.ts';
import { registerRoutes } from './registers/registers.ts';
import { errorRoutes } from './service/errors.ts';
import { eventHub } from './service/event-hub.ts';
import { wireEvents } from './service/event-wire.ts';
import { eventRoutes } from './service/events.ts';
import { type HealthDeps, healthRoutes } from './service/health.ts';
import { homeRoutes } from './service/home.ts';
import { llmsRoutes } from './service/llms.ts';
import { manifestRoutes } from './service/manifest.ts';
import { type MetricsDeps, metricsRoutes } from './service/metrics.ts';
import { openApiRoutes } from './service/openapi.ts';
import { pricingRoutes } from './service/pricing.ts';
import { type QueueBoardDeps, queueBoard } from './service/queue-board.ts';
import { searchRoutes } from './service/search.ts';
import { shareRoutes } from './share/share.ts';
import { webhookSubscriptionRoutes } from './webhooks/webhook-subscriptions.ts';
import { facilitatorRoutes } from './x402/facilitator.ts';
import type { PaymentGate } from './x402/gate.ts';
import type { PaidRegistry } from './x402/payment-plugin.ts';
import type { AdmitMember } from './x402/sign-in.ts';
import type { PaymentTerms } from './x402/terms.ts';

interface RouteDeps {
  readonly services: Services;
  /** Where the free lists are read. */
  readonly reads: Database;
  readonly requireOwner: RequireOwner;
  readonly health: HealthDeps;
  readonly payment: {
    readonly gate: PaymentGate;
    readonly terms: PaymentTerms;
    readonly payTo: Address;
    readonly admit: AdmitMember;
  };
  /** Served over HTTP on local chains only; null on other chains. */
  readonly facilitator: { readonly facilitator: Facilitator; readonly gas: GasGuard } | null;
  readonly metrics: Pick<MetricsDeps, 'text' | 'contentType'>;
  /** What the operator's page shows of the process and what waits. */
  readonly readings: Readings;
  readonly queues: QueueBoardDeps['queues'];
}

/** Registers every route of the service, in the order of the interface description. */
export function serviceRoutes({
  services,
  reads,
  requireOwner,
  health,
  payment,
  facilitator,
  metrics,
  readings,
  queues,
}: RouteDeps): readonly RouteModule[] {
  const { db, now, config } = services;
  const registry: PaidRegistry = [];
  const requireOperator = operatorKeys({ db });
  return [
    (app) =>
      homeRoutes(app, {
        baseUrl: config.baseUrl,
        now: async () => {
          const matches = (await listMatches(reads, { limit: 6, offset: 0 })).map(matchRow);
          return {
            chains: [...services.evidence.readers.keys()],
            listings: (await listCatalogue(reads, { limit: 6, offset: 0 })).map(catalogueRow),
            matches,
            titles: await lotTitles(
              reads,
              matches.map(({ lot }) => lot),
            ),
            latestRecord: await latestAgentRecord(reads),
          };
        },
      }),
    (app) => healthRoutes(app, health),
    (app) => metricsRoutes(app, { ...metrics, requireOperator, open: !isProduction(config) }),
    (app) => operatorRoutes(app, { services, readings, signIn: operatorSignIn({ db }) }),
    (app) => queueBoard(app, { queues, signIn: operatorSignIn({ db }) }),
    (app) =>
      pricingRoutes(app, {
        prices: config.prices,
        cards: cardsOf(config),
        coverOf: (wallet) => coverOf(db, wallet, now()),
      }),
    (app) => determinationRoutes(app, { services, gate: payment.gate, admit: payment.admit, registry }),
    (app) => originRoutes(app, { db, now }),
    (app) => manifestRoutes(app, { ...payment, registry }),
    (app) => marketRoutes(app, { db: reads }),
    (app) => lotRoutes(app, services),
    (app) =>
      eventRoutes(app, {
        hub: eventHub({ db, log: services.log, toWire: wireEvents(activityPlace(services)) }),
        ...config.eventStreams,
      }),
    (app) => agentRoutes(app, services, reads),
    (app) => accountTransactionRoutes(app, services),
    (app) => metadataRoutes(app, services),
    (app) => recordRoutes(app, services),
    (app) => issuerRoutes(app, services),
    (app) => appealRoutes(app, services, requireOwner),
    (app) => outcomeRoutes(app, { services, requireOwner, requireOperator }),
    (app) => newAgentRoutes(app, services),
    (app) =>
      deskRoutes(app, {
        ...services,
        chains: walletChains(services),
        askedChains: () => [...services.evidence.readers.keys()],
      }),
    (app) =>
      dashboardRoutes(app, {
        waiting: (handles) => waitingDeals(db, handles),
        titles: (keys) => lotTitles(reads, keys),
      }),
    (app) => ownerWideRoutes(app, services, requireOwner),
    assetRoutes,
    (app) => shareRoutes(app, services),
    (app) => searchRoutes(app, { db }),
    (app) => checkoutRoutes(app, services, payment.gate),
    (app) => purchaseRoutes(app, services, requireOwner),
    (app) => webhookRoutes(app, services),
    (app) => webhookSubscriptionRoutes(app, services, requireOwner),
    (app) => orderRoutes(app, services, requireOwner),
    (app) => ownOrderRoutes(app, services, requireOwner),
    (app) => dealRoutes(app, services, requireOwner),
    (app) => decisionRoutes(app, services, requireOwner),
    (app) => agentLogRoutes(app, services, requireOwner),
    (app) => agentTermsRoutes(app, services, requireOwner),
    (app) => agentSessionRoutes(app, services, requireOwner),
    (app) => agentProfileRoutes(app, services, requireOwner),
    (app) => domainRoutes(app, services),
    (app) => domainTradeRoutes(app, services, requireOwner),
    (app) => certificateRoutes(app, services, requireOwner),
    (app) => disputeRoutes(app, services, requireOwner),
    (app) => pledgeRoutes(app, { services, requireOwner, requireOperator }),
    (app) => registerRoutes(app, { db, now, requireOperator }),
    (app) => listSnapshotRoutes(app, services),
    ...(facilitator === null
      ? []
      : [
          (app: App) =>
            facilitatorRoutes(app, facilitator.facilitator, {
              gas: facilitator.gas,
              now,
              isOurs: (asked) => isOurTerms(payment, asked),
            }),
        ]),
    (app) =>
      mcpRoutes(app, {
        baseUrl: config.baseUrl,
        version: health.version,
        callsPerMinute: config.rateLimitReads,
      }),
    (app) => llmsRoutes(app, { baseUrl: config.baseUrl, prices: config.prices, registry }),
    (app) => developerRoutes(app, { baseUrl: config.baseUrl }),
    errorRoutes,
    specRoutes,
    openApiRoutes,
  ];
}

/** True when this service could have asked for exactly these terms. The amount varies with the call. */
function isOurTerms(
  { terms, payTo }: RouteDeps['payment'],
  { scheme, network, asset, amount, payTo: payee, extra }: PaymentRequirements,
): boolean {
  const ours = terms.network(network);
  return (
    ours !== undefined &&
    scheme === 'exact' &&
    sameAddress(asset, ours.asset) &&
    sameAddress(payee, payTo) &&
    BigInt(amount) >= CENT &&
    extra?.name === ours.name &&
    extra?.version === ours.version
  );
}
