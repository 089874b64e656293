import { Type } from 'typebox';
import { Refusal } from '../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import { wordsUri } from '../../agents/signed-text.ts';
import { readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { decideDeal } from '../../runtime/deal/decide-deal.ts';
import { saidOfDecisions } from '../../runtime/market/orders/said-before-signing.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { EvmAddress, Handle, OWNER_PROBLEMS, ownerSigned, problems } from '../schemas.ts';

/** As many as one text names, each with its lot and its price. */
export const MOST_AT_ONCE = 10;

const Deal = Type.Object(
  { dealId: Type.String({ minLength: 1, maxLength: 64 }), handle: Handle },
  { additionalProperties: false },
);

/** One decision on several deals that wait, by one signature of the wallet that owns their agents. */
export function decisionRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/deals/decisions',
    {
      schema: {
        operationId: 'deal-decisions',
        summary: 'Decide alike on several deals that wait for one owner, by one signature',
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object(
          {
            wallet: EvmAddress,
            decision: Type.Enum(['proceed', 'stop']),
            deals: Type.Array(Deal, { minItems: 1, maxItems: MOST_AT_ONCE, uniqueItems: true }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            decision: Type.Enum(['proceed', 'stop']),
            decided: Type.Array(Type.String(), { description: 'deals on which the decision counts' }),
            refused: Type.Array(Type.Object({ dealId: Type.String(), reason: Type.String() }), {
              description: 'deals on which it does not, and why',
            }),
          }),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { decision, deals } = request.body;
      const wallet = lowerAddress(request.body.wallet) as Address;
      await requireOwner(request, {
        wallet,
        statement: async (issuedAt) => {
          const { statement, each } = await saidOfDecisions(services, decision, deals, issuedAt);
          return { statement, says: [statement, ...each].join('\n'), resources: each.map(wordsUri) };
        },
        chainId: HOME_CHAIN,
      });
      const outcomes = await Promise.all(
        deals.map(async (deal) => ({
          dealId: deal.dealId,
          reason: await decide(services, wallet, { ...deal, decision }, request.lastCall),
        })),
      );
      return {
        decision,
        decided: outcomes.flatMap(({ dealId, reason }) => (reason === null ? [dealId] : [])),
        refused: outcomes.flatMap(({ dealId, reason }) => (reason === null ? [] : [{ dealId, reason }])),
      };
    },
  );
}

/** @returns why the decision does not count; null when it does */
async function decide(
  services: Services,
  wallet: Address,
  asked: Parameters<typeof decideDeal>[1],
  lastCall: () => void,
): Promise<string | null> {
  try {
    const live = await readLive(services, await requireAgent(services, asked.handle));
    if (!sameAddress(live.chain.owner, wallet)) return `${asked.handle} has another owner.`;
    await decideDeal(services, asked, lastCall);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
