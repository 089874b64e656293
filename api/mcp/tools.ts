import { CATEGORIES } from '../../agents/categories.ts';
import type { JsonSchema } from './operations.ts';

/** What a call of a tool costs, or needs beside its arguments. */
export type ToolKind = 'free' | 'paid' | 'signed';

/** A tool as it is offered; its arguments and its answer are those of the operation that it calls. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** The operation of `/openapi.json` from whose schemas its arguments are made. */
  readonly operation: string;
  /** Arguments of its own, which choose the operation. */
  readonly own?: Readonly<Record<string, JsonSchema>>;
  /** The operation that these arguments choose; `operation` when left out. */
  readonly choose?: (own: Readonly<Record<string, unknown>>) => string;
  /** The members of the answer that it gives; all when left out. */
  readonly gives?: readonly string[];
  /** False for what changes something. */
  readonly reads: boolean;
}

const PAID =
  'Paid over x402: called without a payment it answers the terms; call it again with the same arguments and the signed payment in _meta["x402/payment"].';
const SIGNED =
  "Needs the owner's signature: called without one it answers `sign`; sign `sign.message` (EIP-191) with that wallet and call it again with the same arguments and `ownerSignature`.";

const free = (name: string, operation: string, title: string, description: string): Tool => ({
  ...{ name, operation, title, description },
  kind: 'free',
  reads: true,
});

const paid = (tool: Omit<Tool, 'kind' | 'reads'>): Tool => ({
  ...tool,
  description: `${tool.description} ${PAID}`,
  kind: 'paid',
  reads: true,
});

const signed = (
  name: string,
  operation: string,
  title: string,
  description: string,
  reads = false,
): Tool => ({
  ...{ name, operation, title, reads },
  description: `${description} ${SIGNED}`,
  kind: 'signed',
});

/** Every tool of the service, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  free(
    'quote',
    'quote',
    'Quote',
    'What a determination or a deal would cost, line by line, with any membership.',
  ),
  paid({
    name: 'check',
    operation: 'safeHandshakeDetermination',
    title: 'Check a counterparty',
    description:
      'A determination on one wallet before value moves: CLEAN or FLAGGED, with every check, its sources and their limits. What could not be checked is never CLEAN.',
  }),
  paid({
    name: 'check_transaction',
    operation: 'safeHandshakeTransaction',
    title: 'Check a transaction before it is signed',
    description:
      'The same for a transaction that is simulated first: who would gain and lose what, and the site that asks for it.',
  }),
  free(
    'check_origin',
    'checkOrigin',
    'Check a site',
    'Whether a site is on a phishing list, or pretends to be a known one.',
  ),
  paid({
    name: 'evaluate',
    operation: `tier3-${CATEGORIES[0]}`,
    title: 'Evaluate a deal',
    description:
      'A tier 2 or tier 3 evaluation of a proposed deal: shill bidding, double pledge, mandate and price; tier 3 also provenance, with the whole reasoning. Give the facts of at least one.',
    own: {
      tier: { type: 'string', enum: ['tier2', 'tier3'] },
      category: { type: 'string', enum: [...CATEGORIES], description: 'a goods category' },
    },
    choose: ({ tier, category }) => `${tier}-${category}`,
  }),
  free('pricing', 'pricing', 'Prices', 'Every price that is charged.'),
  free('catalogue', 'catalogue', 'Catalogue', 'What is for sale, with asks.'),
  free('order_book', 'orders', 'Order book', 'One row a lot: the price to beat.'),
  free('matches', 'matches', 'Matches', 'Matches with their clearing prices.'),
  free('close_calls', 'close-calls', 'Close calls', 'Pairs of orders that nearly met.'),
  free('agents', 'agents-directory', 'Agents', 'The agents of the market.'),
  free('agent', 'agent', 'Agent', 'One agent: owner, mandate, caps on chain, what it has issued.'),
  free('activity', 'agent-activity', 'Activity', "An agent's public records."),
  free('name_price', 'domains-price', 'Price of a name', 'What a name costs.'),
  free('record', 'record', 'Record', 'A public record with its evidence, signature and proof.'),
  {
    ...free(
      'proof',
      'record',
      'Proof',
      'What proves a record without this service: its hash, the EIP-712 signature, the Merkle path and where its root stands on chain.',
    ),
    gives: ['recordId', 'state', 'hash', 'signature', 'proof', 'ledger', 'spec'],
  },
  signed('order', 'order', 'Place an order', "Place an order for one's own agent, to buy or to sell."),
  signed('cancel_order', 'order-cancel', 'Cancel an order', 'Take an order off the book.'),
  signed(
    'list_asset',
    'agent-list-asset',
    'List an asset',
    "Offer an asset for sale through one's own agent.",
  ),
  signed(
    'pledge',
    'pledge',
    'Record a pledge',
    'Record a pledge, so that a second one of the asset collides.',
  ),
  signed(
    'decide_deal',
    'deal-decision',
    'Decide a deal',
    'Go on with a deal that waits for its owner, or stop it.',
  ),
  signed(
    'decide_deals',
    'deal-decisions',
    'Decide several deals',
    'Go on with several deals that wait for one owner, or stop them, by one signature.',
  ),
  signed(
    'set_session',
    'agent-session',
    'Pause or resume',
    "Pause, resume, rotate or retire one's own agent.",
  ),
  signed('settings', 'settings', 'Settings', 'What a finding causes: stop the deal, or ask its owner.'),
  signed('own_orders', 'agent-orders', 'Own orders', "The orders of one's own agent, limits included.", true),
  signed('own_deals', 'agent-deals', 'Own deals', "The deals of one's own agent.", true),
  signed('own_log', 'agent-log', 'Own log', "What one's own agent considered and why it acted.", true),
];
