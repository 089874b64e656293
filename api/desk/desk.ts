import type { Effect } from '../../agents/deal/effect.ts';
import { AppError } from '../../agents/errors.ts';
import { usdFigure } from '../../agents/figures.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { sentences } from '../../agents/mandate/terms/describe.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { type Prices, pricing } from '../../agents/market/pricing/prices.ts';
import { acceptMandate } from '../../runtime/checkout/open-checkout.ts';
import { chainName } from '../html/components.ts';
import { severalName } from '../html/fields.ts';
import { type Html, segment } from '../html/html.ts';
import type { App, Reply, Request } from '../http/app.ts';
import { type Form, withForms } from '../http/forms.ts';
import { replyPage } from '../http/negotiate.ts';
import { beforehandBox } from '../market/lot-page.ts';
import { ACT, SIGN } from '../words/acts.ts';
import { type Answer, ask, askWithin } from './ask.ts';
import { offeringChains } from './asked-chains.ts';
import type { DeskCommand, DeskField } from './command.ts';
import { deskCommand } from './commands.ts';
import { faults } from './faults.ts';
import { openIn, termsOf } from './mandate-review.ts';
import { draftSignIn, type SignInDraft, signedIn, signInText } from './member-sign-in.ts';
import { confirmedOutcome, outcomeOf } from './outcomes.ts';
import { againPage, commandPage, type DeskProblem, donePage } from './pages/desk.ts';
import { answerShown } from './pages/desk-answers.ts';
import { mandateSides, mandateToPay } from './pages/desk-mandate.ts';
import { signPage, type ToSign } from './pages/desk-sign.ts';
import { draftPayment, type PaymentOffer, packed, paymentDocument, signedPayment } from './payment.ts';
import { readFrom, termsToPay } from './read-from.ts';
import { type TypedData, withDomainType } from './typed-data.ts';
import type { WalletChain } from './wallet-chains.ts';

const hidden = { schema: { hide: true } } as const;

interface DeskDeps {
  readonly now: () => Date;
  /** Must be unique each time: nonces of payments are made from it. */
  readonly newId: (prefix: string) => string;
  readonly config: { readonly prices: Prices };
  /** How long a page waits for a paid answer before it says that the work goes on; 20,000 when left out. */
  readonly patienceMs?: number;
  /** The chains that a wallet may be asked to add; none when left out. */
  readonly chains?: readonly WalletChain[];
  /** The chains that can be asked about, the home chain first; those that the form names when left out. */
  readonly askedChains?: () => readonly number[];
}

/** One request for a command's page, with what was typed. */
interface Visit {
  readonly app: App;
  readonly deps: DeskDeps;
  readonly request: Request;
  readonly reply: Reply;
  readonly command: DeskCommand;
  readonly typed: Form;
}

const SIGNATURE = /^0x[0-9a-fA-F]+$/;
const NONCE = /^[A-Za-z0-9]{8,128}$/;
/** Less than a request may take, so that the page is answered even when the API request it makes takes too long. */
const PATIENCE_MS = 20_000;

/**
 * Serves `/desk/{act}`, the pages on which an owner signs. Each form becomes one request to the public API, which this same
 * server answers. The API decides what is signed, by whom, and what follows; the pages add no rights of their own.
 */
export function deskRoutes(app: App, deps: DeskDeps): Promise<void> {
  return withForms(app, (scope) => {
    const visit = (request: Request, reply: Reply, typedAt: (command: DeskCommand) => Form): Visit => {
      const command = offeringChains(requireCommand(request), deps.askedChains?.() ?? []);
      return { app, deps, request, reply, command, typed: typedAt(command) };
    };

    scope.get('/desk/:command', hidden, async (request, reply) => {
      const at = visit(request as Request, reply as Reply, () => texts(request.query));
      return form(await begun(at), 200, null);
    });

    scope.post('/desk/:command', hidden, async (request, reply) => {
      const sent = (request.body ?? {}) as Form;
      const at = visit(request as Request, reply as Reply, (command) => ({
        ...typedIn(command, sent),
        ...readFrom(command, sent, deps.now()),
      }));
      reply.header('cache-control', 'no-store');
      if (sent.step === 'change') return form(at, 200, null);
      const absent = at.command.fields.filter((f) => !f.optional && !at.typed[f.name]);
      const fields = [
        ...absent.map((f) => ({ path: f.name, message: ACT.fillIn })),
        ...(at.command.lacks?.(at.typed) ?? []),
      ];
      if (fields.length > 0) return form(at, 400, { title: ACT.missing, fields });
      // An empty mandate is not proposed; the form is filled with the present terms instead.
      if (at.command.id === 'mandate' && !at.typed.mandate && sent.confirm === undefined)
        return form(await begun(at), 200, null);
      return sent.confirm === undefined ? await acted(at, sent) : await confirmed(at, sent);
    });
  });
}

/** Starts a change of a mandate from its present words, and an order with the category of its lot. */
async function begun(at: Visit): Promise<Visit> {
  const { app, request, command, typed } = at;
  if (command.id === 'order' && typed.listingRef && !typed.category) {
    const path = `/lots/${encodeURIComponent(typed.listingRef)}`;
    const { status, body } = await ask(app, request, { method: 'GET', path });
    return status === 200 ? { ...at, typed: { ...typed, category: String(body.category) } } : at;
  }
  if (command.id !== 'mandate' || !typed.handle || typed.mandate) return at;
  const today = await termsOf(app, request, typed.handle);
  return today === null ? at : { ...at, typed: { ...typed, mandate: today.text } };
}

/** The present mandate beside the new one, which is shown as it will be enforced. */
async function sidesOf({ app, request, typed }: Visit, next: Mandate): Promise<Html> {
  const today = await termsOf(app, request, typed.handle ?? '');
  const open = today === null ? null : await openIn(app, request, today.owner, next);
  return mandateSides(today?.sentences ?? null, sentences(next), open);
}

/** Runs before anything is signed. @returns both mandates side by side, or the form again with the open questions */
async function reviewed(at: Visit): Promise<{ sides: Html | null } | { again: Reply }> {
  const { command, typed, deps } = at;
  if (command.id !== 'mandate') return { sides: null };
  try {
    return { sides: await sidesOf(at, acceptMandate(typed.mandate ?? '', deps.now())) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const body = { title: ACT.unread, detail: error.message, ...error.extra };
    return { again: form(at, error.status, { title: body.title, fields: faults(command, typed, body) }) };
  }
}

/** Shows the form of a command, with what was wrong in it. */
function form({ deps, reply, command, typed }: Visit, status: number, problem: DeskProblem | null): Reply {
  return replyPage(reply.code(status), commandPage(command, typed, problem, pricing(deps.config.prices)));
}

/** The fields of a form as they were sent, or as an earlier page carries them. */
function typedIn(command: DeskCommand, sent: Form): Form {
  const chosen = ({ name, options = [] }: DeskField) =>
    options.flatMap(([value]) => (sent[severalName(name, value)] === undefined ? [] : [value])).join(' ');
  const typed = command.fields.map((f) => [f.name, sent[f.name] ?? (f.kind === 'several' ? chosen(f) : '')]);
  const place = command.paged && sent.cursor ? { cursor: sent.cursor } : {};
  return { ...Object.fromEntries(typed), ...place };
}

/** Runs the command. Without a signature it shows what the owner is to sign; with one it shows the result. */
async function acted(
  at: Visit,
  { nonce = '', signature = '', signer = '', payment = '', signIn = '' }: Form,
): Promise<Reply> {
  const { app, deps, request, reply, command, typed } = at;
  const signed = NONCE.test(nonce) && SIGNATURE.test(signature);
  const authorization = signed ? `EIP191 nonce="${nonce}", signature="${signature}"` : undefined;
  const paid = payment !== '' && SIGNATURE.test(signature) ? signedPayment(payment, signature) : null;
  const member = signIn !== '' && SIGNATURE.test(signature) ? signedIn(signIn, signature) : null;
  const proof = { authorization, payment: paid, signIn: member };
  const asked = [app, request, command.request(typed), proof] as const;
  const answer =
    paid === null ? await ask(...asked) : await askWithin(deps.patienceMs ?? PATIENCE_MS, ...asked);
  // The paid answer is late, or the service cannot give it now. Sending the same payment again gets the answer and is
  // charged once.
  if (paid !== null && (answer === null || answer.status === 429 || answer.status >= 500)) {
    const why = answer === null ? null : String(answer.body.detail);
    return replyPage(
      reply.code(answer?.status ?? 202),
      againPage(command, { ...typed, payment, signature }, why),
    );
  }
  if (answer === null) throw new Error('what is not paid is waited for');
  const { sign } = answer.body as {
    sign?: { message: string; nonce: string; expiresAt: string; wallet: string; says?: string };
  };
  if (answer.status === 401 && sign !== undefined) {
    const tried = nonce !== '';
    const review = await reviewed(at);
    if ('again' in review) return review.again;
    const wrong = tried && !signed ? SIGN.malformed : String(answer.body.detail);
    const page = signPage(command, {
      wallet: sign.wallet,
      until: sign.expiresAt,
      carried: { ...typed, nonce: sign.nonce, signer: sign.wallet },
      texts: [{ field: 'signature', label: SIGN.labels.words, message: sign.message }],
      says: sign.says ?? null,
      before: review.sides ?? missingIn(answer.body),
      said: tried ? SIGN.again.words(wrong) : null,
      wrong: tried,
    });
    return replyPage(reply.code(tried ? 401 : 200), page);
  }
  const { accepts } = answer.body as { accepts?: readonly PaymentOffer[] };
  if (answer.status === 402 && command.by === 'usdc' && accepts !== undefined) {
    const wrong = payment === '' && signIn === '' ? null : unpaidBy(signature, answer);
    const draft = payment === '' ? await memberDraft(at, answer) : null;
    return draft === null ? payNow(at, accepts, wrong) : signInNow(at, draft, wrong);
  }
  if (answer.status >= 400) return refused(at, answer, paid !== null);
  return outcome(at, answer, signer);
}

/** Why what was signed paid nothing: a signature that is malformed was not sent on, so the answer speaks of none at all. */
function unpaidBy(signature: string, { body }: Answer): string {
  return SIGNATURE.test(signature) ? String(body.detail) : SIGN.malformed;
}

/** What is disputed and what could not be judged about the lot of an order, before it is signed. */
function missingIn({ willNotBeJudged, yourSettingsThen, openDisputes }: Answer['body']): Html | null {
  if (!Array.isArray(willNotBeJudged) || !Array.isArray(openDisputes)) return null;
  const said = { willNotBeJudged, yourSettingsThen: yourSettingsThen as Effect | null, openDisputes };
  return beforehandBox(said) || null;
}

/** What a member signs instead of paying; null where the call takes no members, or no membership covers the wallet now. */
async function memberDraft({ app, request, typed }: Visit, { body }: Answer): Promise<SignInDraft | null> {
  const { wallet = '', network = '' } = typed;
  const draft = draftSignIn(body, wallet, network);
  if (draft === null) return null;
  const path = `/quote?wallet=${encodeURIComponent(wallet)}`;
  const quote = await ask(app, request, { method: 'GET', path }, { counted: false });
  return quote.status === 200 && quote.body.membership !== null ? draft : null;
}

/** Shows the sign-in by which a member is answered unpaid. @param refusal of the previous one */
function signInNow({ reply, command, typed }: Visit, draft: SignInDraft, refusal: string | null): Reply {
  const page = signPage(command, {
    wallet: draft.address,
    until: draft.expirationTime ?? '',
    carried: { ...typed, signIn: packed(draft) },
    texts: [{ field: 'signature', label: SIGN.labels.member, message: signInText(draft) }],
    says: draft.statement ?? null,
    said: refusal === null ? SIGN.covered : SIGN.again.words(refusal),
    wrong: refusal !== null,
  });
  return replyPage(reply.code(refusal === null ? 200 : 402), page);
}

/** Shows what a call costs, and the transfer that pays for it. @param refusal of the previous payment */
function payNow(at: Visit, accepts: readonly PaymentOffer[], refusal: string | null): Reply {
  const { deps, reply, command, typed } = at;
  const payer = typed.wallet ?? typed.owner ?? '';
  const offer = accepts.find(({ network }) => network === typed.network) ?? accepts[0];
  if (offer === undefined || !isEvmAddress(payer)) {
    const path = typed.wallet === undefined ? 'owner' : 'wallet';
    const fields = [{ path, message: ACT.address }];
    return form(at, 400, { title: ACT.notValid, fields });
  }
  const draft = draftPayment(offer, payer, deps.now(), deps.newId('pay'));
  const price = usdFigure(BigInt(offer.amount));
  const page = signPage(command, {
    wallet: payer,
    until: new Date(Number(draft.authorization.validBefore) * 1000).toISOString(),
    carried: { ...typed, payment: packed(draft) },
    texts: [
      {
        field: 'signature',
        label: SIGN.labels.transfer(price, chainName(offer.network)),
        typed: withDomainType(paymentDocument(draft)),
      },
    ],
    says: SIGN.says(price, chainName(offer.network), offer.payTo),
    next: SIGN.transferNext(offer.payTo, offer.amount, price),
    before: command.dated ? mandateToPay(termsToPay(typed)) : null,
    chains: deps.chains ?? [],
    said: refusal === null ? null : SIGN.again.transfer(refusal),
    wrong: refusal !== null,
  });
  return replyPage(reply.code(refusal === null ? 200 : 402), page);
}

/** Sends the second signature, which a contract checks, to where the API wants it. */
async function confirmed(at: Visit, sent: Form): Promise<Reply> {
  const { app, request, reply, command, typed } = at;
  const { confirm = '', signature = '', keySignature } = sent;
  const path = /^[1-9][0-9]{0,9}$/.test(confirm) ? command.confirm?.(typed, confirm) : undefined;
  if (path === undefined) throw new AppError('not-found', 'There is nothing to confirm here.');
  const body = { signature, ...(keySignature === undefined ? {} : { keySignature }) };
  const answer = await ask(app, request, { method: 'POST', path, body });
  if (answer.status >= 400) return refused(at, answer);
  const shown = answerShown(command.id, answer.body, typed);
  return replyPage(reply, donePage(command, typed, answer.body, shown, confirmedOutcome(answer.body, typed)));
}

async function outcome(at: Visit, { body }: Answer, wallet: string): Promise<Reply> {
  const { reply, command, typed, deps } = at;
  const documents: ToSign[] = (
    [
      ['signature', SIGN.labels.contract, body.typedData],
      ['keySignature', SIGN.labels.key, body.keyTypedData],
    ] as const
  ).flatMap(([field, label, typedData]) =>
    typedData ? [{ field, label, typed: withDomainType(typedData as TypedData) }] : [],
  );
  if (documents.length > 0) {
    const page = signPage(command, {
      wallet,
      until: String(body.expiresAt),
      carried: { ...typed, confirm: String(body.version ?? 1) },
      texts: documents,
      says: command.again?.(typed) ?? null,
      before: command.id === 'mandate' ? await sidesOf(at, body.mandate as Mandate) : null,
      chains: deps.chains ?? [],
      said: SIGN.again.chain(outcomeOf(command.id, body, typed)?.said ?? command.done),
      wrong: false,
    });
    return replyPage(reply, page);
  }
  // A checkout has its own page, with the link to the card processor or the result.
  if (typeof body.checkoutId === 'string') return toCheckout(at, body.checkoutId);
  const shown = command.confirm === undefined ? answerShown(command.id, body, typed) : null;
  return replyPage(reply, donePage(command, typed, body, shown, outcomeOf(command.id, body, typed)));
}

function toCheckout({ reply, command, typed }: Visit, checkoutId: string): Reply {
  const paid = command.by === 'usdc' ? '?paid=yes' : '';
  return reply.redirect(`${command.request(typed).path}/${checkoutId}${paid}`, 303);
}

function refused(at: Visit, { status, body }: Answer, isPaid = false): Reply {
  const { checkoutId, sameOrder } = body;
  const title = String(body.title);
  if (typeof checkoutId !== 'string')
    return form(at, status, { title, fields: faults(at.command, at.typed, body) });
  // What was signed for is being bought by this same wallet, or was: the answer to its payment may have been lost.
  if (isPaid && sameOrder === true) return toCheckout(at, checkoutId);
  const { handle = '' } = at.typed;
  const ways = [
    [`${at.command.request(at.typed).path}/${checkoutId}`, ACT.own.checkout],
    [`/agent/${segment(handle)}`, ACT.see(handle)],
    [`/desk/mandate?handle=${segment(handle)}`, ACT.own.edit],
  ] as const;
  return form(at, status, { title, fields: [{ path: 'handle', message: String(body.detail) }], ways });
}

function requireCommand(request: Request): DeskCommand {
  const { command: id } = request.params as { command: string };
  const command = deskCommand(id);
  if (command === null) throw new AppError('not-found', `There is no page "${id.slice(0, 60)}" on the desk.`);
  return command;
}

/** The query parameters that are plain text. */
function texts(query: unknown): Form {
  const all = Object.entries((query ?? {}) as Record<string, unknown>);
  return Object.fromEntries(all.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
