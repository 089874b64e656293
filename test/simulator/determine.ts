import type { Category } from '../../agents/categories.ts';
import { askedAbout } from '../../agents/deal/asked.ts';
import { weighVerdicts } from '../../agents/deal/effect.ts';
import { decide, panelFor } from '../../agents/determinations/panel/panel.ts';
import { rollUpTier } from '../../agents/determinations/panel/rollup.ts';
import type { Depth, Determination, TierRecord, Verdict } from '../../agents/determinations/panel/types.ts';
import { toUsd } from '../../agents/money.ts';
import type { TierAnswer } from '../../runtime/determinations/determine-tier.ts';
import { tierDraft } from '../../runtime/determinations/drafts.ts';
import { EffectError, type EffectRunner } from '../../runtime/durable/jobs/effect.ts';
import { dealRecordId, signRecord } from '../../runtime/records/record-id.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { settingsOf } from '../../store/agent/settings.ts';
import { keepFindings, type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { insertRecords } from '../../store/records/records.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';
import { random } from './random.ts';

/** The votes of one determination: everything on which its verdict is based. */
export interface SimulatedEvidence {
  readonly id: 'wallet' | 'double-pledge' | 'mandate-compliance';
  readonly depth: Depth | null;
  readonly votes: readonly Verdict[];
  readonly hard: boolean;
  /** The seat that says CLEAN whatever its node says; null: none. */
  readonly liar: number | null;
}

const IDS = ['wallet', 'double-pledge', 'mandate-compliance'] as const;
const NOW = '2026-11-02T09:00:00Z';

/**
 * Applies the real panel and the real roll-up to votes, so that a filed record can be judged again from its evidence.
 */
export function judgeSimulated(
  evidence: readonly SimulatedEvidence[],
  category: Category,
  priceUsd: number,
): TierRecord {
  const determinations = evidence.map(({ id, depth, votes, hard }): Determination => {
    const { seats, quorum } = panelFor(depth);
    return {
      id,
      verdict: decide(votes, quorum, hard),
      confidence: 0,
      confidenceBasis: 'uncalibrated',
      checks: [],
      reasons: [],
      evidence: {
        id,
        rules: 1,
        at: NOW,
        performer: 'AGENT',
        depth,
        common: {},
        blocks: {},
        seats: [],
        latencyMs: 0,
      },
      panel: { depth, seats: seats.length, quorum, votes: [], dissent: [], block: {}, latencyMs: 0 },
    };
  });
  return rollUpTier({ tier: 'deal', category, priceUsd }, determinations, []);
}

/**
 * Determines as the seed says: mostly CLEAN, sometimes a soft or hard flag, a silent seat, or no answer at all. The
 * effect of the answer is decided as in the service's own effect.
 */
export function simulatedDetermination(
  services: Services,
  { seed, lies }: { readonly seed: string; readonly lies: boolean },
): EffectRunner {
  return {
    kind: 'determine',
    lane: 'determination',
    maxAttempts: 20,
    async run({ params, attempt }) {
      const dealId = String(params.dealId);
      const round = Number(params.round);
      const at = services.now().getTime();
      const deal = await loadDeal(services.db, dealId);
      const sides = await Promise.all(
        (['buyer', 'seller'] as const).map((side) =>
          determineSide(services, { seed, lies, attempt, deal, side, round }),
        ),
      );
      const outcomes = Object.fromEntries(sides.map(({ side, outcome }) => [side, outcome]));
      const found = sides.find(({ outcome }) => outcome !== 'pass');
      return {
        event: {
          type: 'DETERMINED',
          ...{ outcomes, round, at },
          asked: Object.fromEntries(sides.map(({ side, asked }) => [side, asked])),
          ...(found === undefined ? {} : { reason: `the ${found.side} found something` }),
        },
        commit: async (trx) => {
          await insertRecords(
            trx,
            sides.map(({ signed }) => signed),
          );
          await keepFindings(
            trx,
            dealId,
            ['buyer', 'seller'],
            sides.flatMap(({ findings }) => findings),
          );
        },
      };
    },
  };
}

interface SideAsked {
  readonly seed: string;
  /** Whether nodes lie: to one seat at a time. */
  readonly lies: boolean;
  readonly attempt: number;
  readonly deal: LoadedDeal;
  readonly side: 'buyer' | 'seller';
  readonly round: number;
}

async function determineSide(services: Services, { seed, lies, attempt, deal, side, round }: SideAsked) {
  const agent = await findAgent(services.db, deal[side]);
  if (!agent) throw new EffectError('an agent of the deal is not there', { retry: false });
  // What is found once more is sometimes something else.
  const again = round > 1 && random(`${seed}/round/${deal.deal_id}/${round}`).chance(0.5) ? `/${round}` : '';
  const r = random(`${seed}/determination/${deal.asset_key}/${side}/${deal.price}${again}`);
  if (attempt < 3 && r.chance(0.1)) throw new Error('a seat timed out');
  const depth = agent.depth as Depth | null;
  const lying = r.fork('lies');
  const evidence = IDS.map((id): SimulatedEvidence => {
    const vote = (): Verdict => (r.chance(0.96) ? 'CLEAN' : r.pick(['FLAGGED', 'INCONCLUSIVE'] as const));
    const votes = panelFor(depth).seats.map(vote);
    const hard = r.chance(0.01);
    const liar = lies && lying.chance(0.3) ? lying.below(votes.length) : null;
    return { id, depth, votes: votes.map((said, seat) => (seat === liar ? 'CLEAN' : said)), hard, liar };
  });
  const record = judgeSimulated(evidence, deal.category as Category, toUsd(deal.price));
  const answer = {
    record,
    evidence: { kind: 'deal', determinations: evidence },
    subject: deal.asset_key,
    hardFlags: [],
  };
  const signed = await signRecord(services.signRecord, {
    ...tierDraft(
      answer as unknown as TierAnswer,
      { recordId: dealRecordId(deal.deal_id, side, round), issuedAt: services.now() },
      [agent.handle],
    ),
    handle: agent.handle,
  });
  const choices = await settingsOf(services.db, plainHolder(agent.owner));
  const { effect, causes } = weighVerdicts(record.determinations, {
    ...choices,
    wallet: agent.owner,
    mandate: null,
  });
  const findings = record.determinations
    .filter((d) => d.verdict !== 'CLEAN')
    .map(({ id, verdict }) => ({
      side,
      determination: id,
      verdict,
      hard: false,
      about: null,
      reasons: [],
      effect: causes.find((c) => c.determination === id)?.effect ?? ('stop' as const),
    }));
  const asked = askedAbout(causes, record.determinations, { approval: false, disputes: [] });
  return { side, signed, asked, findings, outcome: effect === 'proceed' ? ('pass' as const) : effect };
}
