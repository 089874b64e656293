import { AppError } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { type PriceSetting, pricing } from '../../agents/market/prices.ts';
import { type Micro, toUsd } from '../../agents/money.ts';
import type { App, Reply, Request } from '../app.ts';
import type { DeskAct, DeskField } from '../desk/act.ts';
import { deskAct } from '../desk/acts.ts';
import { type Answer, ask, askWithin } from '../desk/ask.ts';
import { faults } from '../desk/faults.ts';
import { draftPayment, type PaymentOffer, packed, paymentDocument, signedPayment } from '../desk/payment.ts';
import { type TypedData, withDomainType } from '../desk/typed-data.ts';
import {
  actPage,
  againPage,
  type DeskProblem,
  deskPage,
  donePage,
  signPage,
  type ToSign,
} from '../pages/desk.ts';
import { answerShown } from '../pages/desk-answers.ts';
import { signingHeaders } from '../pages/desk-script.ts';
import { severalName } from '../pages/fields.ts';
import { type Form, withForms } from '../plugins/forms.ts';
import { replyPage } from '../plugins/negotiate.ts';

const hidden = { schema: { hide: true } } as const;

interface DeskDeps {
  readonly now: () => Date;
  /** Never the same twice. */
  readonly newId: (prefix: string) => string;
  readonly config: { readonly pricing: PriceSetting };
  /** How long a page waits for what is paid before it says that it is still worked on; 20,000 when left out. */
  readonly patienceMs?: number;
}

/** Somebody at a form. */
interface Visit {
  readonly app: App;
  readonly deps: DeskDeps;
  readonly request: Request;
  readonly reply: Reply;
  readonly act: DeskAct;
  readonly typed: Form;
}

const SIGNATURE = /^0x[0-9a-fA-F]+$/;
const NONCE = /^[A-Za-z0-9]{8,128}$/;
/** Less than a request may take, so that a page is answered whatever becomes of the request it makes. */
const PATIENCE_MS = 20_000;

/**
 * `/desk`: what an owner signs for, from a page. Each form becomes one request of the public interface, which this very
 * server answers: it decides what is signed, by whom and what comes of it, and the pages add no right of their own.
 */
export function deskRoutes(app: App, deps: DeskDeps): Promise<void> {
  return withForms(app, (scope) => {
    scope.get('/desk', hidden, async (request, reply) => replyPage(reply, deskPage(texts(request.query))));

    const visit = (request: Request, reply: Reply, typedAt: (act: DeskAct) => Form): Visit => {
      const act = requireAct(request);
      return { app, deps, request, reply, act, typed: typedAt(act) };
    };

    scope.get('/desk/:act', hidden, async (request, reply) =>
      form(
        visit(request as Request, reply as Reply, () => texts(request.query)),
        200,
        null,
      ),
    );

    scope.post('/desk/:act', hidden, async (request, reply) => {
      const sent = (request.body ?? {}) as Form;
      const at = visit(request as Request, reply as Reply, (act) => typedIn(act, sent));
      reply.header('cache-control', 'no-store');
      const absent = at.act.fields.filter((f) => !f.optional && !at.typed[f.name]);
      const fields = [
        ...absent.map((f) => ({ path: f.name, message: 'fill it in' })),
        ...(at.act.lacks?.(at.typed) ?? []),
      ];
      if (fields.length > 0) return form(at, 400, { title: 'Something is missing', fields });
      return sent.confirm === undefined ? await acted(at, sent) : await confirmed(at, sent);
    });
  });
}

/** The form of an act; with what was wrong in it, where something was. */
function form({ deps, reply, act, typed }: Visit, status: number, problem: DeskProblem | null): Reply {
  return replyPage(reply.code(status), actPage(act, typed, problem, pricing(deps.config.pricing)));
}

/** What stood in the fields of a form, or is carried from an earlier page. */
function typedIn(act: DeskAct, sent: Form): Form {
  const chosen = ({ name, options = [] }: DeskField) =>
    options.flatMap(([value]) => (sent[severalName(name, value)] === undefined ? [] : [value])).join(' ');
  const typed = act.fields.map((f) => [f.name, sent[f.name] ?? (f.kind === 'several' ? chosen(f) : '')]);
  const place = act.paged && sent.cursor ? { cursor: sent.cursor } : {};
  return { ...Object.fromEntries(typed), ...place };
}

/** The act itself: asked for without a signature, what the owner is to sign; with one, what came of it. */
async function acted(
  at: Visit,
  { nonce = '', signature = '', signer = '', payment = '' }: Form,
): Promise<Reply> {
  const { app, deps, request, reply, act, typed } = at;
  const signed = NONCE.test(nonce) && SIGNATURE.test(signature);
  const authorization = signed ? `EIP191 nonce="${nonce}", signature="${signature}"` : undefined;
  const paid = payment !== '' && SIGNATURE.test(signature) ? signedPayment(payment, signature) : null;
  const asked = [app, request, act.request(typed), { authorization, payment: paid }] as const;
  const answer =
    paid === null ? await ask(...asked) : await askWithin(deps.patienceMs ?? PATIENCE_MS, ...asked);
  // Paid for and not there yet, or held up: the same payment gets it, and is charged once.
  if (paid !== null && (answer === null || answer.status === 503)) {
    const why = answer === null ? null : String(answer.body.detail);
    return replyPage(
      reply.code(answer === null ? 202 : 503),
      againPage(act, { ...typed, payment, signature }, why),
    );
  }
  if (answer === null) throw new Error('what is not paid is waited for');
  const { sign } = answer.body as {
    sign?: { message: string; nonce: string; expiresAt: string; wallet: string };
  };
  if (answer.status === 401 && sign !== undefined) {
    const tried = nonce !== '';
    const wrong = tried && !signed ? 'A signature is written 0x and hex digits.' : String(answer.body.detail);
    const page = signPage(act, {
      wallet: sign.wallet,
      until: sign.expiresAt,
      carried: { ...typed, nonce: sign.nonce, signer: sign.wallet },
      texts: [{ field: 'signature', label: 'The words you sign', message: sign.message }],
      said: tried ? `${wrong} Here is a new text.` : null,
      wrong: tried,
    });
    return replyPage(reply.code(tried ? 401 : 200), page, signingHeaders);
  }
  const { accepts } = answer.body as { accepts?: readonly PaymentOffer[] };
  if (answer.status === 402 && act.by === 'usdc' && accepts !== undefined)
    return payNow(at, accepts, payment === '' ? null : String(answer.body.detail));
  if (answer.status >= 400) return refused(at, answer);
  return outcome(at, answer, signer);
}

/** What a call costs, and the transfer that pays for it. @param refusal of the payment before it */
function payNow(at: Visit, accepts: readonly PaymentOffer[], refusal: string | null): Reply {
  const { deps, reply, act, typed } = at;
  const payer = typed.wallet ?? typed.owner ?? '';
  const offer = accepts.find(({ network }) => network === typed.network) ?? accepts[0];
  if (offer === undefined || !isEvmAddress(payer)) {
    const path = typed.wallet === undefined ? 'owner' : 'wallet';
    const fields = [{ path, message: 'must be 0x and 40 hex digits' }];
    return form(at, 400, { title: 'The request is not valid', fields });
  }
  const draft = draftPayment(offer, payer, deps.now(), deps.newId('pay'));
  const price = toUsd(BigInt(offer.amount) as Micro);
  const page = signPage(act, {
    wallet: payer,
    until: new Date(Number(draft.authorization.validBefore) * 1000).toISOString(),
    carried: { ...typed, payment: packed(draft) },
    texts: [
      {
        field: 'signature',
        label: `A transfer of $${price.toFixed(2)} in test USDC on ${offer.network}`,
        typed: withDomainType(paymentDocument(draft)),
      },
    ],
    said: refusal === null ? null : `${refusal} Here is a new transfer to sign.`,
    wrong: refusal !== null,
  });
  return replyPage(reply.code(refusal === null ? 200 : 402), page, signingHeaders);
}

/** What a contract checks is signed after the act: the interface says where that signature goes. */
async function confirmed(at: Visit, sent: Form): Promise<Reply> {
  const { app, request, reply, act, typed } = at;
  const { confirm = '', signature = '', keySignature } = sent;
  const path = /^[1-9][0-9]{0,9}$/.test(confirm) ? act.confirm?.(typed, confirm) : undefined;
  if (path === undefined) throw new AppError('not-found', 'There is nothing to confirm here.');
  const body = { signature, ...(keySignature === undefined ? {} : { keySignature }) };
  const answer = await ask(app, request, { method: 'POST', path, body });
  if (answer.status >= 400) return refused(at, answer);
  return replyPage(reply, donePage(act, typed, answer.body, answerShown(act.id, answer.body, typed)));
}

function outcome({ reply, act, typed }: Visit, { body }: Answer, wallet: string): Reply {
  const documents: ToSign[] = (
    [
      ['signature', 'What the contract checks', body.typedData],
      ['keySignature', 'The session key, for as long as the mandate runs', body.keyTypedData],
    ] as const
  ).flatMap(([field, label, typedData]) =>
    typedData ? [{ field, label, typed: withDomainType(typedData as TypedData) }] : [],
  );
  if (documents.length > 0) {
    const page = signPage(act, {
      wallet,
      until: String(body.expiresAt),
      carried: { ...typed, confirm: String(body.version ?? 1) },
      texts: documents,
      said: `${act.done} Sign once more, and the chain holds to it.`,
      wrong: false,
    });
    return replyPage(reply, page, signingHeaders);
  }
  // A checkout has a page of its own: with the way to the card processor, or what came of it.
  if (typeof body.checkoutId === 'string') {
    const paid = act.by === 'usdc' ? '?paid=yes' : '';
    return reply.redirect(`${act.request(typed).path}/${body.checkoutId}${paid}`, 303);
  }
  const shown = act.confirm === undefined ? answerShown(act.id, body, typed) : null;
  return replyPage(reply, donePage(act, typed, body, shown));
}

function refused(at: Visit, { status, body }: Answer): Reply {
  return form(at, status, { title: String(body.title), fields: faults(at.act, at.typed, body) });
}

function requireAct(request: Request): DeskAct {
  const { act: id } = request.params as { act: string };
  const act = deskAct(id);
  if (act === null) throw new AppError('not-found', `There is no page "${id.slice(0, 60)}" on the desk.`);
  return act;
}

/** What of a query is plain text. */
function texts(query: unknown): Form {
  const all = Object.entries((query ?? {}) as Record<string, unknown>);
  return Object.fromEntries(all.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
