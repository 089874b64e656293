import { AppError, type FieldError } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { type Micro, toUsd } from '../../agents/money.ts';
import type { App, Reply, Request } from '../app.ts';
import type { DeskAct, DeskField, DeskRequest } from '../desk/act.ts';
import { deskAct } from '../desk/acts.ts';
import { draftPayment, type PaymentOffer, packed, paymentDocument, signedPayment } from '../desk/payment.ts';
import { actPage, deskPage, donePage, signPage, type ToSign } from '../pages/desk.ts';
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
}

/** What the interface answered to a request of a page. */
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const SIGNATURE = /^0x[0-9a-fA-F]+$/;
const NONCE = /^[A-Za-z0-9]{8,128}$/;

/**
 * `/desk`: what an owner signs for, from a page. Each form becomes one request of the public interface, which this very
 * server answers: it decides what is signed, by whom and what comes of it, and the pages add no right of their own.
 */
export function deskRoutes(app: App, deps: DeskDeps): Promise<void> {
  return withForms(app, (scope) => {
    scope.get('/desk', hidden, async (request, reply) => replyPage(reply, deskPage(texts(request.query))));

    scope.get('/desk/:act', hidden, async (request, reply) =>
      replyPage(reply, actPage(requireAct(request), texts(request.query))),
    );

    scope.post('/desk/:act', hidden, async (request, reply) => {
      const act = requireAct(request);
      const form = (request.body ?? {}) as Form;
      const typed = typedIn(act, form);
      reply.header('cache-control', 'no-store');
      const absent = act.fields.filter((f) => !f.optional && !typed[f.name]);
      if (absent.length > 0) {
        const fields = absent.map((f) => ({ path: f.name, message: `${f.label}: fill it in` }));
        return replyPage(reply.code(400), actPage(act, typed, { title: 'Something is missing', fields }));
      }
      if (form.confirm !== undefined) return await confirmed(app, request, reply, act, typed, form);
      return await acted(app, deps, request, reply, act, typed, form);
    });
  });
}

/** What stood in the fields of a form, or is carried from an earlier page. */
function typedIn(act: DeskAct, form: Form): Form {
  const chosen = ({ name, options = [] }: DeskField) =>
    options.flatMap(([value]) => (form[severalName(name, value)] === undefined ? [] : [value])).join(' ');
  return Object.fromEntries(
    act.fields.map((f) => [f.name, form[f.name] ?? (f.kind === 'several' ? chosen(f) : '')]),
  );
}

/** The act itself: asked for without a signature, what the owner is to sign; with one, what came of it. */
async function acted(
  app: App,
  deps: DeskDeps,
  request: Request,
  reply: Reply,
  act: DeskAct,
  typed: Form,
  { nonce = '', signature = '', signer = '', payment = '' }: Form,
): Promise<Reply> {
  const signed = NONCE.test(nonce) && SIGNATURE.test(signature);
  const authorization = signed ? `EIP191 nonce="${nonce}", signature="${signature}"` : undefined;
  const paid = payment !== '' && SIGNATURE.test(signature) ? signedPayment(payment, signature) : null;
  const answer = await ask(app, request, act.request(typed), authorization, paid);
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
    return payNow(deps, reply, act, typed, accepts, payment === '' ? null : String(answer.body.detail));
  if (answer.status >= 400) return refused(reply, act, typed, answer);
  return outcome(reply, act, typed, answer, signer);
}

/** What a call costs, and the transfer that pays for it. @param refusal of the payment before it */
function payNow(
  { now, newId }: DeskDeps,
  reply: Reply,
  act: DeskAct,
  typed: Form,
  accepts: readonly PaymentOffer[],
  refusal: string | null,
): Reply {
  const payer = typed.wallet ?? typed.owner ?? '';
  const offer = accepts.find(({ network }) => network === typed.network) ?? accepts[0];
  if (offer === undefined || !isEvmAddress(payer)) {
    const path = typed.wallet === undefined ? 'owner' : 'wallet';
    const fields = [{ path, message: 'must be 0x and 40 hex digits' }];
    return replyPage(reply.code(400), actPage(act, typed, { title: 'The request is not valid', fields }));
  }
  const draft = draftPayment(offer, payer, now(), newId('pay'));
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
async function confirmed(
  app: App,
  request: Request,
  reply: Reply,
  act: DeskAct,
  typed: Form,
  form: Form,
): Promise<Reply> {
  const { confirm = '', signature = '', keySignature } = form;
  const path = /^[1-9][0-9]{0,9}$/.test(confirm) ? act.confirm?.(typed, confirm) : undefined;
  if (path === undefined) throw new AppError('not-found', 'There is nothing to confirm here.');
  const body = { signature, ...(keySignature === undefined ? {} : { keySignature }) };
  const answer = await ask(app, request, { method: 'POST', path, body });
  if (answer.status >= 400) return refused(reply, act, typed, answer);
  return replyPage(reply, donePage(act, typed, answer.body, answerShown(act.id, answer.body, typed)));
}

function outcome(reply: Reply, act: DeskAct, typed: Form, { body }: Answer, wallet: string): Reply {
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

function refused(reply: Reply, act: DeskAct, typed: Form, { status, body }: Answer): Reply {
  const known = new Set(act.fields.map((f) => f.name));
  const questions = (body.questions as { question: string }[] | undefined) ?? [];
  const said = [
    ...questions.map(({ question }) => ({ path: 'mandate', message: question })),
    ...((body.errors as FieldError[] | undefined) ?? []).map(({ path, message }) => {
      // `asset.serial` and `add[2]` stand in the fields `serial` and `add`.
      const [name] = path.split(/[.[\]]/).filter((part) => known.has(part));
      return name === undefined
        ? { path: '', message: `${path}: ${message}` }
        : { path: name, message: inWords(message) };
    }),
  ];
  const fields = said.length > 0 ? said : [{ path: '', message: String(body.detail) }];
  return replyPage(reply.code(status), actPage(act, typed, { title: String(body.title), fields }));
}

/** What a pattern means, for those who read no patterns. */
function inWords(message: string): string {
  return message.replace(/^must (?:match \S+|be a number or a string) \((.+)\)$/, 'must be $1');
}

/** Asks this very server over its public interface, as the person at the page would. */
async function ask(
  app: App,
  request: Request,
  { method, path, body }: DeskRequest,
  authorization?: string,
  payment: string | null = null,
): Promise<Answer> {
  const { 'x-forwarded-for': via } = request.headers;
  const answer = await app.inject({
    method,
    url: path,
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    headers: {
      accept: 'application/json',
      'x-request-id': request.id,
      ...(via === undefined ? {} : { 'x-forwarded-for': via }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(payment === null ? {} : { 'payment-signature': payment }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() as Answer['body'] };
}

interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: string;
  readonly message: object;
}

const DOMAIN_TYPES = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address' };

/** Wallets want the domain's own type spelled out; EIP-712 fixes it by which members are there. */
function withDomainType(data: TypedData): TypedData {
  const members = Object.entries(DOMAIN_TYPES).filter(([name]) => name in data.domain);
  return {
    ...data,
    types: { EIP712Domain: members.map(([name, type]) => ({ name, type })), ...data.types },
  };
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
