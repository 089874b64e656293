import { Type } from 'typebox';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import { settingsWords } from '../../agents/checkout/wallet-words.ts';
import { CHOOSABLE, ON_FLAGGED, ON_INCONCLUSIVE } from '../../agents/deal/effect.ts';
import { badField } from '../../agents/errors.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { ToldMoney, toldMoney } from '../../agents/market/pricing/told-money.ts';
import { beneficialOwnerOf, readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { decideDeal } from '../../runtime/deal/decide-deal.ts';
import { saidOfDecision } from '../../runtime/market/orders/said-before-signing.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { keepSettings, type OwnerSettings, settingsOf } from '../../store/agent/settings.ts';
import { openDisputesOf } from '../../store/certificates/disputes-of-thing.ts';
import { dealsOf } from '../../store/deal/deals.ts';
import { askedAmong } from '../../store/deal/waiting-deals.ts';
import { readOwnList } from '../agent/own-list.ts';
import { formerOwner } from '../agent/own-time.ts';
import { OpenDisputes, openDisputesShown } from '../certificates/open-dispute-document.ts';
import type { App, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { bySeq, ownCursor } from '../http/own-cursors.ts';
import {
  AssetKey,
  EvmAddress,
  Handle,
  Hash,
  OWNER_PROBLEMS,
  ownerSigned,
  pageQuery,
  problems,
  Time,
} from '../schemas.ts';

const OnFlagged = Type.Enum([...ON_FLAGGED], { description: 'what a determination that is FLAGGED causes' });

const OnInconclusive = Type.Enum([...ON_INCONCLUSIVE], {
  description: `what it causes that ${CHOOSABLE.join(', ')} could not be judged; for no other determination can it be chosen`,
  'x-remedy': `it holds for ${CHOOSABLE.join(', ')} alone, and for them alike: a deal never goes on while its wallet, double-pledge or mandate-compliance could not be judged`,
});

/** What holds for a wallet, chosen or not. */
const Settings = Type.Object({
  wallet: EvmAddress,
  onFlagged: OnFlagged,
  onInconclusive: OnInconclusive,
  chosen: Type.Array(Type.Enum(['onFlagged', 'onInconclusive']), {
    description: 'which of the two the owner chose; the other follows',
  }),
});

/** What holds: what could not be judged follows what was chosen for a finding, and with neither chosen a deal stops. */
function shownSettings(wallet: string, { onFlagged, onInconclusive }: OwnerSettings) {
  const flagged = onFlagged ?? 'stop';
  return {
    wallet,
    onFlagged: flagged,
    onInconclusive: onInconclusive ?? flagged,
    chosen: [
      ...(onFlagged === null ? [] : ['onFlagged' as const]),
      ...(onInconclusive === null ? [] : ['onInconclusive' as const]),
    ],
  };
}

/** Routes for what an owner decides: the setting for findings, and a single deal that waits. */
export function dealRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/settings',
    {
      schema: {
        operationId: 'settings',
        summary:
          'Choose what a FLAGGED result, and one that could not be judged, causes: stop, ask you, go on',
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object(
          {
            wallet: EvmAddress,
            onFlagged: Type.Optional(OnFlagged),
            onInconclusive: Type.Optional(OnInconclusive),
          },
          { additionalProperties: false, description: 'one of the two choices, or both; the other stays' },
        ),
        response: { 200: Settings, ...problems(...OWNER_PROBLEMS) },
      },
    },
    async (request) => {
      const { wallet: named, ...choice } = request.body;
      const wallet = lowerAddress(named);
      if (choice.onFlagged === undefined && choice.onInconclusive === undefined)
        throw badField('onFlagged', 'give onFlagged, onInconclusive, or both');
      // Read before the signature is verified: an account that is sold meanwhile has nothing chosen by who signed for it.
      const holder = { wallet, beneficialOwner: await beneficialOwnerOf(services, wallet) };
      await requireOwner(request, { wallet, statement: settingsWords(choice), chainId: HOME_CHAIN });
      request.lastCall();
      await keepSettings(services.db, holder, choice, services.now());
      return shownSettings(wallet, await settingsOf(services.db, holder));
    },
  );

  app.get(
    '/settings/:wallet',
    {
      schema: {
        operationId: 'settings-read',
        summary:
          'What a FLAGGED result causes for this wallet (unset: stop), and one that could not be judged (unset: the same)',
        tags: ['owners'],
        params: Type.Object({ wallet: EvmAddress }),
        response: { 200: Settings, ...problems('bad-request') },
      },
    },
    async (request) => {
      const wallet = lowerAddress(request.params.wallet);
      const beneficialOwner = await beneficialOwnerOf(services, wallet as Address);
      return shownSettings(wallet, await settingsOf(services.db, { wallet, beneficialOwner }));
    },
  );

  app.post(
    '/deals/:dealId/decision',
    {
      schema: {
        operationId: 'deal-decision',
        summary: 'Decide on a deal that waits for its owner',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ dealId: Type.String({ maxLength: 64 }) }),
        body: Type.Object(
          { handle: Handle, decision: Type.Enum(['proceed', 'stop']) },
          { additionalProperties: false },
        ),
        response: {
          202: Type.Object({ dealId: Type.String(), decision: Type.Enum(['proceed', 'stop']) }),
          ...problems(...OWNER_PROBLEMS, 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { dealId } = request.params;
      const { handle, decision } = request.body;
      const live = await readLive(services, await requireAgent(services, handle));
      await requireOwner(request, {
        wallet: lowerAddress(live.chain.owner) as Address,
        statement: (asked) => saidOfDecision(services, { dealId, handle, decision }, asked),
        chainId: HOME_CHAIN,
      });
      await decideDeal(services, { dealId, handle, decision }, request.lastCall);
      return reply.code(202).send({ dealId, decision });
    },
  );

  app.get(
    '/agent/:handle/deals',
    {
      schema: {
        operationId: 'agent-deals',
        summary: "An agent's deals with their findings, for the owner in whose time they were matched",
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor, owner: formerOwner }),
        response: {
          200: PagesOf(
            Type.Object({
              dealId: Type.String(),
              matchId: Type.String(),
              lot: AssetKey,
              description: Type.String({ description: "the seller's words for the lot" }),
              role: Type.Enum(['buyer', 'seller']),
              ...ToldMoney.properties,
              state: Type.String(),
              deadline: Type.Union([Time, Type.Null()]),
              waitsForYou: Type.Boolean({
                description: "whether it waits for this agent's owner; another may wait for the other side's",
              }),
              findings: Type.Array(Type.Object({}, { additionalProperties: true })),
              openDisputes: {
                ...OpenDisputes,
                description:
                  "of a deal that waits: disputes of the thing's certificates that are not decided for good, as of now",
              },
              reason: Type.Union([Type.String(), Type.Null()]),
              tx: Type.Union([Hash, Type.Null()]),
              updatedAt: Time,
            }),
          ),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const { owner, page, paged } = await readOwnList(services, requireOwner, request as Request, {
        name: 'deals',
        handle,
        statement: `Read the deals of agent ${handle}`,
        query: request.query,
        places: bySeq,
      });
      const found = await dealsOf(services.db, { handle, owner }, page);
      const waiting = found.filter((d) => d.state === 'awaiting-owner').map((d) => d.deal_id);
      const [asked, disputes] = await Promise.all([
        askedAmong(services.db, handle, waiting),
        disputesOfWaiting(services, found),
      ]);
      return paged(found, (d) => {
        const role = d.buyer === handle ? ('buyer' as const) : ('seller' as const);
        return {
          dealId: d.deal_id,
          matchId: d.match_id,
          lot: d.asset_key,
          description: d.description,
          role,
          ...toldMoney(d.asset_key, d),
          state: d.state,
          deadline: d.deadline?.toISOString() ?? null,
          waitsForYou: asked.has(d.deal_id),
          // Findings of the other side are about this owner, and only the other owner may see them.
          findings: d.findings.filter((f) => f.side === role),
          openDisputes: openDisputesShown(disputes.get(d.deal_id) ?? []),
          reason: d.reason,
          tx: d.tx,
          updatedAt: d.updated_at.toISOString(),
        };
      });
    },
  );
}

/** What is disputed of the deals that wait, as it stands now: it may have been filed since they were determined. */
async function disputesOfWaiting(
  { db }: Services,
  deals: readonly { readonly deal_id: string; readonly asset_key: string; readonly state: string }[],
): Promise<ReadonlyMap<string, readonly OpenDispute[]>> {
  const waiting = deals.filter(({ state }) => state === 'awaiting-owner');
  return new Map(
    await Promise.all(waiting.map(async (d) => [d.deal_id, await openDisputesOf(db, d.asset_key)] as const)),
  );
}
