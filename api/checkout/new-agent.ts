import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError, onWire, Refusal } from '../../agents/errors.ts';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import type { Question } from '../../agents/mandate/terms/schema.ts';
import { chargeFor } from '../../agents/market/pricing/prices.ts';
import { toUsd } from '../../agents/money.ts';
import { withSuggestion } from '../../runtime/agent/suggest-mandate.ts';
import {
  type CheckoutRequest,
  openCheckout,
  readAgentOrder,
  requireWallet,
} from '../../runtime/checkout/open-checkout.ts';
import { readBackAt } from '../../runtime/checkout/read-back-at.ts';
import type { Services } from '../../runtime/services.ts';
import { choiceOpenTo } from '../agent/read-back.ts';
import type { App } from '../http/app.ts';
import { askerOf } from '../http/asker.ts';
import { type Form, withForms } from '../http/forms.ts';
import { replyPage } from '../http/negotiate.ts';
import { Depth, EvmAddress, Handle, TierName } from '../schemas.ts';
import {
  type AgentDraft,
  type DraftProblem,
  EMPTY_DRAFT,
  newAgentPage,
  reviewPage,
} from './new-agent-page.ts';

const hidden = { schema: { hide: true } } as const;

/**
 * `/agents/new`: an owner writes a mandate, sees how it was read, and goes on to pay. It does what `POST
 * /agent/checkout` does for programs. Nothing is signed, because the payment is the act.
 */
export function newAgentRoutes(app: App, services: Services): Promise<void> {
  const { pricing } = services.config;
  const prices = {
    agentUsd: toUsd(chargeFor(pricing, 'agent')),
    executorUsd: toUsd(chargeFor(pricing, 'executor')),
  };

  return withForms(app, (scope) => {
    scope.get('/agents/new', hidden, async (_request, reply) =>
      replyPage(reply, newAgentPage(EMPTY_DRAFT, prices)),
    );

    scope.post('/agents/new', hidden, async (request, reply) => {
      const form = (request.body ?? {}) as Form;
      const draft = draftOf(form);
      reply.header('cache-control', 'no-store');
      if (form.step === 'change') return replyPage(reply, newAgentPage(draft, prices));
      try {
        const asked = requestOf(draft);
        const asker = askerOf(request, asked.owner);
        const now = services.now();
        const readAt = readBackAt(form.readAt, now);
        // What was read back too long ago is read back once more, and not paid for unseen.
        if (form.step === 'pay' && readAt !== null) {
          const opened = await withSuggestion(services, asked.mandate, asker, () =>
            openCheckout(services, asked, request.lastCall, readAt),
          );
          return reply.redirect(`/agent/checkout/${opened.checkoutId}`, 303);
        }
        const order = await withSuggestion(services, asked.mandate, asker, async () =>
          readAgentOrder(services, asked, now),
        );
        await requireWallet(services, order.owner);
        const reading = {
          mandate: order.mandate,
          hash: mandateHash(order.mandate),
          readAt: now.toISOString(),
          priceUsd: toUsd(order.amount),
          open: await choiceOpenTo(services.db, order.mandate, order.owner),
        };
        return replyPage(reply, reviewPage({ ...draft, handle: order.handle }, reading));
      } catch (error) {
        const refusal = error instanceof Refusal ? onWire(error) : null;
        if (refusal === null || refusal.status >= 500) throw error;
        return replyPage(reply.code(refusal.status), newAgentPage(draft, prices, problemOf(refusal)));
      }
    });
  });
}

function draftOf(form: Form): AgentDraft {
  return {
    mandate: form.mandate ?? '',
    handle: form.handle ?? '',
    owner: form.owner ?? '',
    tier: form.tier ?? EMPTY_DRAFT.tier,
    depth: form.depth ?? EMPTY_DRAFT.depth,
  };
}

const Asked = Type.Object({ owner: EvmAddress, tier: TierName, depth: Depth });

/** @throws AppError bad-request that names every wrong field */
function requestOf(draft: AgentDraft): CheckoutRequest {
  const wrong = [
    ...(draft.mandate === '' ? [{ path: 'mandate', message: 'say what it may do' }] : []),
    ...(draft.mandate.length > 4000
      ? [{ path: 'mandate', message: 'say it in 4,000 characters at most' }]
      : []),
    ...(Value.Check(Handle, draft.handle)
      ? []
      : [{ path: 'handle', message: 'must be 3 to 32 of a-z, 0-9 and hyphen, no hyphen first or last' }]),
    ...(Value.Check(EvmAddress, draft.owner)
      ? []
      : [{ path: 'owner', message: 'must be a wallet address: 0x and 40 hex digits' }]),
    ...(Value.Check(TierName, draft.tier) ? [] : [{ path: 'tier', message: 'choose AGENT or EXECUTOR' }]),
    ...(Value.Check(Depth, draft.depth) ? [] : [{ path: 'depth', message: 'choose one of the three' }]),
  ];
  if (wrong.length > 0 || !Value.Check(Asked, draft)) {
    throw new AppError('bad-request', 'The form is not complete.', { errors: wrong });
  }
  const { owner, handle, mandate, tier, depth } = draft;
  return { owner, handle, mandate, tier, ...(tier === 'AGENT' ? { depth } : {}) };
}

function problemOf(error: AppError): DraftProblem {
  const { questions, suggestion } = error.extra as {
    questions?: readonly Question[];
    suggestion?: { text?: string };
  };
  // A new checkout has only one possible conflict: the handle is taken.
  const fields = error.code === 'conflict' ? [{ path: 'handle', message: error.message }] : error.errors;
  return { fields, questions: questions ?? [], suggestion: suggestion?.text ?? null, detail: error.message };
}
