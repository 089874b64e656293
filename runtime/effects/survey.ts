import { sha256Hex } from '../../agents/canonical.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../agents/ids.ts';
import { type Decision, idle, markOf } from '../../agents/trading/decision.ts';
import { surveyOrderId } from '../../agents/trading/order-id.ts';
import { plan } from '../../agents/trading/plan.ts';
import { isKeyLive } from '../../chain/agents.ts';
import { type LogEntry, lastMarks, trimLog, writeLog } from '../../store/agent-log.ts';
import { findMandate } from '../../store/agents.ts';
import type { Trx } from '../../store/database.ts';
import { findOrder } from '../../store/orders.ts';
import { countResting, ownerBidsAlready } from '../../store/trading.ts';
import { cancelOrder } from '../../store/withdrawals.ts';
import { beneficialOwner, type LiveAgent, readLive, requireAgent } from '../acts/live-agent.ts';
import { placeOrder } from '../acts/place-order.ts';
import { observe } from '../evidence/observe.ts';
import type { Services } from '../services.ts';
import type { EffectContext, EffectRunner } from './effect.ts';

/** One look at the market by one agent. */
interface Survey {
  readonly services: Services;
  readonly key: string;
  readonly live: LiveAgent;
  /** Who stands behind its owner, lower case. */
  readonly behind: string;
  readonly now: Date;
}

/**
 * An agent looks at the market, decides, and acts by the acts that its owner has: nothing else is open to it. What it
 * rests has an id made of the survey's key, so that a survey that is run again rests nothing twice. Every decision that
 * is a new one stands in its log, in the transaction of the act where there is one. Answers SURVEYED.
 */
export function surveyEffect(services: Services): EffectRunner {
  return {
    kind: 'survey',
    lane: 'survey',
    maxAttempts: 10,
    timeLimitMs: 60_000,
    async run({ key, params }: EffectContext) {
      const agent = await requireAgent(services, String(params.handle));
      const now = services.now();
      let survey: Survey | null = null;
      let decisions: readonly Decision[];
      try {
        const live = await readLive(services, agent);
        survey = { services, key, live, behind: await beneficialOwner(services, live), now };
        decisions = (await hindrance(survey)) ?? plan(await observe(services.db, live, survey.behind, now));
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
        decisions = [idle(agent.handle, 'unread', `It does nothing: ${error.message}`)];
      }
      const known = await lastMarks(services.db, agent.handle);
      const owner = lowerAddress(survey?.live.chain.owner ?? agent.owner);
      const entry = (d: Decision) => entryOf({ key, handle: agent.handle, owner, now }, d);
      const rest: LogEntry[] = [];
      let acted = 0;
      for (const decision of decisions) {
        if (survey === null || decision.action === 'leave' || decision.action === 'expire') {
          if (known.get(decision.topic) !== markOf(decision)) rest.push(entry(decision));
          continue;
        }
        const refused = await carryOut(survey, decision, (trx, d) => writeLog(trx, [entry(d)]));
        if (refused === null) acted += 1;
        else if (known.get(refused.topic) !== markOf(refused)) rest.push(entry(refused));
      }
      return {
        event: {
          type: 'SURVEYED',
          acted,
          resting: await countResting(services.db, agent.handle),
          // An EXECUTOR has nothing to look for, however it came to look.
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

/** What keeps an agent from acting at all, whatever the market: it is not what its owner signed for any more. */
async function hindrance({ services, live }: Survey): Promise<readonly Decision[] | null> {
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

/** Acts on a decision. @returns null when it was done, now or by an earlier attempt; else what came in its place */
async function carryOut(
  survey: Survey,
  decision: Decision,
  log: (trx: Trx, decision: Decision) => Promise<void>,
): Promise<Decision | null> {
  const { services, now, live } = survey;
  try {
    if (decision.orderId !== null && decision.side === 'buy') {
      const orderId = decision.orderId;
      await services.db.transaction().execute(async (trx) => {
        await cancelOrder(trx, { orderId, handle: live.agent.handle, now });
        if (decision.action === 'cancel') await log(trx, decision);
      });
    }
    if (decision.order !== null) await rest(survey, decision, log);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
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
  { services, key, live, behind }: Survey,
  decision: Decision,
  log: (trx: Trx, decision: Decision) => Promise<void>,
): Promise<void> {
  const { order, listingRef, side } = decision;
  if (order === null || listingRef === null || side === null) return;
  const orderId = surveyOrderId(key, listingRef);
  if ((await findOrder(services.db, orderId)) !== null) return;
  const digest = orderId.slice('ord_'.length);
  // The ids of a match and its deal are of this survey, too.
  const named: Services = { ...services, newId: (prefix) => `${prefix}_${digest}` };
  await placeOrder(
    named,
    live,
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
        if (side === 'buy' && (await ownerBidsAlready(trx, { assetKey, owner: behind, besides: orderId })))
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
