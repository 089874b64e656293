import { CARD_EVENTS, createCardGateway } from '../../checkout/card-gateway.ts';
import type { Config } from '../../config/config.ts';
import { cardsOf } from '../../config/rules.ts';
import { messageOf } from '../../config/start-error.ts';
import { doubtful, type Finding, well, wrong } from './finding.ts';

const OF = 'card processor';
const CHECKLIST = 'docs/operator.md, "Connecting Stripe"';

/** Whether the card processor answers, and tells this service of payments: without that, cards are charged for nothing. */
export async function checkCard(config: Config): Promise<Finding> {
  const { stripe, baseUrl } = config;
  if (stripe === null) return well(OF, 'the local one, which takes test cards alone');
  const gateway = createCardGateway({ ...stripe, clock: () => new Date() });
  const url = `${baseUrl}/webhooks/card`;
  try {
    const endpoints = await gateway.findEndpoints();
    if (endpoints === null)
      return doubtful(
        OF,
        `it answers, and does not say where it sends events`,
        `see that it is ${url}: ${CHECKLIST}`,
      );
    // With test cards events may come by `stripe listen`, which is no endpoint.
    const missed = cardsOf(config) === 'real' ? wrong : doubtful;
    const sent = endpoints.filter((endpoint) => endpoint.url === url).flatMap(({ events }) => events);
    if (sent.length === 0)
      return missed(OF, `no endpoint sends events to ${url}: who pays gets nothing`, `add it: ${CHECKLIST}`);
    const missing = sent.includes('*') ? [] : CARD_EVENTS.filter((event) => !sent.includes(event));
    return missing.length === 0
      ? well(OF, `it answers, and sends events to ${url}`)
      : missed(OF, `${url} is not sent ${missing.join(', ')}`, `add them to the endpoint: ${CHECKLIST}`);
  } catch (error) {
    return wrong(OF, messageOf(error), 'mend STRIPE_SECRET_KEY, STRIPE_API_BASE, or the way to it');
  }
}
