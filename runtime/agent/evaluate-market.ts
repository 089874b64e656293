import { type Decision, idle, markOf } from '../../agents/agent/decision.ts';
import { evaluationOrderId } from '../../agents/agent/order-id.ts';
import { sha256Hex } from '../../agents/canonical.ts';
import { AppError, Refusal } from '../../agents/errors.ts';
import { sameAddress } from '../../agents/ids.ts';
import { LEAST_REST_MS } from '../../agents/market/probing.ts';
import { isKeyLive } from '../../chain/clients/agents.ts';
import { type LogEntry, lastMarks, trimLog, writeLog } from '../../store/agent/agent-log.ts';
import { findMandate } from '../../store/agent/agents.ts';
import { lastBeneficialOwner } from '../../store/agent/beneficial-owners.ts';
import { countResting, ownerBidsAlready } from '../../store/agent/trading.ts';
import type { Trx } from '../../store/database.ts';
import { findOrder } from '../../store/market/orders.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import type { EffectContext, EffectRunner } from '../durable/jobs/effect.ts';
import { placeOrder, readOrderingAgent } from '../market/public.ts';
import type { Services } from '../services.ts';
import { beneficialOwner, type LiveAgent, readLive, requireAgent } from './live-agent.ts';
import { observe } from './observe.ts';
import { planWeighed } from './plan-weighed.ts';

/** One evaluation of the market by one agent. */
interface MarketEvaluation {
  readonly services: Services;
  readonly key: string;
  readonly live: LiveAgent;
  /** The wallet at the top of its chain of owners, lower case. */
  readonly beneficialOwner: string;
  readonly now: Date;
}

/**
 * An agent evaluates the market, decides, and acts through the same functions as its owner. The id of an order is made of
 * the effect's key, so that a retry places no order twice. Every new decision is written to the agent's log, in the
 * transaction of the order where there is one. Reports SURVEYED.
 */
export function evaluateMarketEffect(services: Services): EffectRunner {
  return {
    kind: 'evaluate-market',
    lane: 'evaluate-market',
    maxAttempts: 10,
    timeLimitMs: 60_000,
    async run({ key, params, attempt }: EffectContext) {
      const agent = await requireAgent(services, String(params.handle));
      const watchEveryMs = services.config.watchSeconds * 1000;
      // Its machine asked, but agents do nothing by themselves any more.
      if (watchEveryMs === 0 && params.lots !== undefined)
        return { event: { type: 'SURVEYED', watchEveryMs } };
      const scope = scopeIn(params);
      // Undefined: nothing was read, so that an evaluation of the whole market goes on where it is.
      let next: string | null | undefined;
      const now = services.now();
      let evaluation: MarketEvaluation | null = null;
      let decisions: readonly Decision[];
      try {
        const live = await readLive(services, agent);
        evaluation = { services, key, live, beneficialOwner: await beneficialOwner(services, live), now };
        const hindered = await hindrance(evaluation);
        if (hindered === null) {
          const seen = await observe(services.db, live, { owner: evaluation.beneficialOwner, now, ...scope });
          // Of single lots that are gone, and of a page after others, nothing is said of the others.
          decisions = (await planWeighed(services.evidence, seen)).filter(
            ({ reason }) => scope.first || reason !== 'nothing-to-see',
          );
          next = seen.next;
        } else {
          // Until it may act again, which begins anew, no page is worth a look.
          next = null;
          decisions = hindered;
        }
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
        decisions = [idle(agent.handle, 'unread', `It does nothing: ${error.message}`)];
      }
      const owner = evaluation?.beneficialOwner ?? (await lastBeneficialOwner(services.db, agent.owner));
      const known = await lastMarks(services.db, { handle: agent.handle, owner });
      const entry = (d: Decision) => entryOf({ key, handle: agent.handle, owner, now }, d);
      const rest: LogEntry[] = [];
      const failures: unknown[] = [];
      let acted = 0;
      let refusals = 0;
      for (const decision of decisions) {
        if (evaluation === null || decision.action === 'leave' || decision.action === 'expire') {
          if (known.get(decision.topic) !== markOf(decision)) rest.push(entry(decision));
          continue;
        }
        let refused: Decision | null;
        try {
          refused = await carryOut(evaluation, decision, (trx, d) => writeLog(trx, [entry(d)]));
        } catch (error) {
          // A lot that fails does not keep the agent from the others; a retry does not repeat what was done.
          failures.push(error);
          continue;
        }
        if (refused === null) acted += 1;
        else refusals += 1;
        if (refused !== null && known.get(refused.topic) !== markOf(refused)) rest.push(entry(refused));
      }
      if (failures.length > 0 && attempt < TRIES_OF_ALL) throw failures[0];
      return {
        event: {
          type: 'SURVEYED',
          acted,
          watchEveryMs,
          // A later page that was not read is read again, and the market not begun anew for it.
          againInMs:
            next === undefined && scope.after !== null
              ? null
              : againIn(decisions, { refusals, failures: failures.length }),
          resting: await countResting(services.db, agent.handle),
          ...(next === undefined ? { unread: true } : scope.pages ? { next } : {}),
          // An EXECUTOR never acts by itself, so it needs no further evaluation.
          ...(agent.tier === 'EXECUTOR' ? { watches: false } : {}),
        },
        commit: async (trx) => {
          await writeLog(trx, rest);
          if (acted + rest.length > 0) await trimLog(trx, agent.handle);
        },
      };
    },
  };
}

/** The lots that it evaluates, or which page of all. A request of an earlier release means the newest. */
function scopeIn({ lots, after, pages }: Record<string, unknown>) {
  const named = Array.isArray(lots) ? lots.map(String) : null;
  const place = typeof after === 'string' ? after : null;
  return { lots: named, after: place, pages: pages === true, first: named === null && place === null };
}

const UNREAD_MS = 60_000;
const REFUSED_MS = 600_000;

/** After how long the agent evaluates again what it could not do now, milliseconds; null: when it is told. */
function againIn(
  decisions: readonly Decision[],
  { refusals, failures }: { readonly refusals: number; readonly failures: number },
): number | null {
  const reasons = decisions.map(({ reason }) => reason);
  if (reasons.includes('too-young')) return LEAST_REST_MS;
  if (failures > 0 || reasons.includes('unread')) return UNREAD_MS;
  return refusals > 0 ? REFUSED_MS : null;
}

/** How often an evaluation is retried for what failed in it; then it waits for the next one. */
const TRIES_OF_ALL = 5;

/** Why the agent may not act at all, whatever the market: it no longer is what its owner signed for. */
async function hindrance({ services, live }: MarketEvaluation): Promise<readonly Decision[] | null> {
  const { agent, chain } = live;
  if (agent.tier === 'EXECUTOR') return null;
  if (!sameAddress(chain.owner, agent.owner))
    return [
      idle(
        agent.handle,
        'owner-changed',
        'It has a new owner, and does nothing until that one signs a mandate.',
      ),
    ];
  const mandate = await findMandate(services.db, agent.handle);
  if (mandate !== null && mandate.hash.toLowerCase() !== chain.mandateHash.toLowerCase())
    return [
      idle(
        agent.handle,
        'mandate-moved',
        'The chain holds another mandate than the one here: it does nothing.',
      ),
    ];
  const { readers, deployment } = services.home;
  const key = agent.session_key as `0x${string}`;
  if (chain.paused || !(await isKeyLive(readers.viem, deployment, agent.token_id, key, chain.block)))
    return [
      idle(
        agent.handle,
        'key-dead',
        'It is paused on chain, or its session key may not act: it does nothing.',
      ),
    ];
  return null;
}

/** Acts on a decision. @returns null when it was done, now or by an earlier attempt; else the decision that replaces it */
async function carryOut(
  evaluation: MarketEvaluation,
  decision: Decision,
  log: (trx: Trx, decision: Decision) => Promise<void>,
): Promise<Decision | null> {
  const { services, now, live } = evaluation;
  try {
    // A new order replaces the agent's own; if the new one is refused, the old one stays.
    if (decision.orderId !== null && decision.action === 'cancel') {
      const orderId = decision.orderId;
      await services.db.transaction().execute(async (trx) => {
        await cancelOrder(trx, { orderId, handle: live.agent.handle, now });
        await log(trx, decision);
      });
    }
    if (decision.order !== null) await rest(evaluation, decision, log);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
    return {
      ...decision,
      action: 'leave',
      reason: `refused-${error.code}`,
      order: null,
      says: `${decision.says} It was refused: ${error.message}`,
    };
  }
}

async function rest(
  { services, key, live, beneficialOwner }: MarketEvaluation,
  decision: Decision,
  log: (trx: Trx, decision: Decision) => Promise<void>,
): Promise<void> {
  const { order, listingRef, side } = decision;
  if (order === null || listingRef === null || side === null) return;
  const orderId = evaluationOrderId(key, listingRef);
  if ((await findOrder(services.db, orderId)) !== null) return;
  const digest = orderId.slice('ord_'.length);
  // The ids of a match and its deal are also made of this effect's key, so that a retry makes the same ones.
  const named: Services = { ...services, newId: (prefix) => `${prefix}_${digest}` };
  await placeOrder(
    named,
    await readOrderingAgent(services, live.agent.handle, listingRef),
    {
      side,
      asset: null,
      listingRef,
      category: order.category,
      limit: order.limit,
      openingBid: null,
      expiresAt: new Date(order.expiresAt),
    },
    () => {},
    {
      async also(trx, placed) {
        const { asset_key: assetKey } = placed.order;
        if (
          side === 'buy' &&
          (await ownerBidsAlready(trx, {
            ...{ assetKey, handle: live.agent.handle, owner: beneficialOwner, besides: orderId },
          }))
        )
          throw new AppError('conflict', 'Its owner bids on this lot already.');
        await log(trx, { ...decision, orderId });
      },
    },
  );
}

function entryOf(
  about: { readonly key: string; readonly handle: string; readonly owner: string; readonly now: Date },
  decision: Decision,
): LogEntry {
  const mark = markOf(decision);
  return {
    entryId: `log_${sha256Hex([about.key, decision.topic, mark].join('\n')).slice(0, 32)}`,
    handle: about.handle,
    owner: about.owner,
    topic: decision.topic,
    mark,
    action: decision.action,
    lot: decision.lot,
    listingRef: decision.listingRef,
    orderId: decision.orderId,
    says: decision.says,
    figures: decision.figures,
    at: about.now,
  };
}
