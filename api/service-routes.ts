import type { Address } from '../agents/ids.ts';
import type { Facilitator } from '../chain/facilitator/facilitator.ts';
import type { Services } from '../runtime/services.ts';
import { listCatalogue } from '../store/catalogue.ts';
import { listMatches } from '../store/matches.ts';
import { coverOf } from '../store/memberships.ts';
import { latestRecord } from '../store/records.ts';
import type { App, RouteModule } from './app.ts';
import { eventHub } from './events/hub.ts';
import { wireEvents } from './events/wire.ts';
import type { PaymentGate } from './payment/gate.ts';
import type { AdmitMember } from './payment/sign-in.ts';
import type { PaymentTerms } from './payment/terms.ts';
import { operatorKeys, operatorSignIn } from './plugins/operator-key.ts';
import type { RequireOwner } from './plugins/owner-signature.ts';
import type { PaidRegistry } from './plugins/payment.ts';
import { agentLogRoutes } from './routes/agent-log.ts';
import { agentProfileRoutes } from './routes/agent-profile.ts';
import { agentSessionRoutes } from './routes/agent-session.ts';
import { agentTermsRoutes } from './routes/agent-terms.ts';
import { activityPlace, agentRoutes } from './routes/agents.ts';
import { appealRoutes } from './routes/appeals.ts';
import { certificateRoutes } from './routes/certificates.ts';
import { checkoutRoutes } from './routes/checkout.ts';
import { dealRoutes } from './routes/deals.ts';
import { deskRoutes } from './routes/desk.ts';
import { determinationRoutes } from './routes/determinations.ts';
import { domainTradeRoutes } from './routes/domain-trades.ts';
import { domainRoutes } from './routes/domains.ts';
import { errorRoutes } from './routes/errors.ts';
import { eventRoutes } from './routes/events.ts';
import { facilitatorRoutes } from './routes/facilitator.ts';
import { type HealthDeps, healthRoutes } from './routes/health.ts';
import { homeRoutes } from './routes/home.ts';
import { manifestRoutes } from './routes/manifest.ts';
import { catalogueRow, marketRoutes, matchRow } from './routes/market.ts';
import { metadataRoutes } from './routes/metadata.ts';
import { type MetricsDeps, metricsRoutes } from './routes/metrics.ts';
import { newAgentRoutes } from './routes/new-agent.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { orderRoutes } from './routes/orders.ts';
import { pledgeRoutes } from './routes/pledges.ts';
import { pricingRoutes } from './routes/pricing.ts';
import { purchaseRoutes } from './routes/purchases.ts';
import { type QueueBoardDeps, queueBoard } from './routes/queue-board.ts';
import { recordRoutes } from './routes/records.ts';
import { registerRoutes } from './routes/registers.ts';
import { specRoutes } from './routes/specs.ts';
import { webhookSubscriptionRoutes } from './routes/webhook-subscriptions.ts';
import { webhookRoutes } from './routes/webhooks.ts';

interface RouteDeps {
  readonly services: Services;
  readonly requireOwner: RequireOwner;
  readonly health: HealthDeps;
  readonly payment: {
    readonly gate: PaymentGate;
    readonly terms: PaymentTerms;
    readonly payTo: Address;
    readonly admit: AdmitMember;
  };
  /** Served over HTTP on local chains only; null elsewhere. */
  readonly facilitator: Facilitator | null;
  readonly metrics: Pick<MetricsDeps, 'text' | 'contentType'>;
  readonly queues: QueueBoardDeps['queues'];
}

/** Every route of the service, in the order of the interface description. */
export function serviceRoutes({
  services,
  requireOwner,
  health,
  payment,
  facilitator,
  metrics,
  queues,
}: RouteDeps): readonly RouteModule[] {
  const { db, now, config } = services;
  const registry: PaidRegistry = [];
  const requireOperator = operatorKeys({ db });
  return [
    (app) =>
      homeRoutes(app, {
        baseUrl: config.baseUrl,
        now: async () => ({
          listings: (await listCatalogue(db, { limit: 5, offset: 0 })).map(catalogueRow),
          matches: (await listMatches(db, { limit: 5, offset: 0 })).map(matchRow),
          latestRecord: await latestRecord(db),
        }),
      }),
    (app) => healthRoutes(app, health),
    (app) => metricsRoutes(app, { ...metrics, requireOperator, open: isLoopback(config.host) }),
    (app) => queueBoard(app, { queues, signIn: operatorSignIn({ db }) }),
    (app) =>
      pricingRoutes(app, {
        pricing: config.pricing,
        coverOf: (wallet) => coverOf(db, wallet, now()),
      }),
    (app) => determinationRoutes(app, { services, gate: payment.gate, admit: payment.admit, registry }),
    (app) => manifestRoutes(app, { ...payment, registry }),
    (app) => marketRoutes(app, { db }),
    (app) =>
      eventRoutes(app, {
        hub: eventHub({ db, log: services.log, toWire: wireEvents(activityPlace(services)) }),
        ...config.eventStreams,
      }),
    (app) => agentRoutes(app, services),
    (app) => metadataRoutes(app, services),
    (app) => recordRoutes(app, services),
    (app) => appealRoutes(app, services, requireOwner),
    (app) => newAgentRoutes(app, services),
    (app) => deskRoutes(app, services),
    (app) => checkoutRoutes(app, services, payment.gate),
    (app) => purchaseRoutes(app, services, requireOwner),
    (app) => webhookRoutes(app, services),
    (app) => webhookSubscriptionRoutes(app, services, requireOwner),
    (app) => orderRoutes(app, services, requireOwner),
    (app) => dealRoutes(app, services, requireOwner),
    (app) => agentLogRoutes(app, services, requireOwner),
    (app) => agentTermsRoutes(app, services, requireOwner),
    (app) => agentSessionRoutes(app, services, requireOwner),
    (app) => agentProfileRoutes(app, services, requireOwner),
    (app) => domainRoutes(app, services),
    (app) => domainTradeRoutes(app, services, requireOwner),
    (app) => certificateRoutes(app, services, requireOwner),
    (app) => pledgeRoutes(app, { services, requireOwner, requireOperator }),
    (app) => registerRoutes(app, { db, now, requireOperator }),
    ...(facilitator === null ? [] : [(app: App) => facilitatorRoutes(app, facilitator)]),
    errorRoutes,
    specRoutes,
    openApiRoutes,
  ];
}

/** Only programs of this very machine reach a service that is bound so. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
