import { shortened } from '../html/components.ts';
import type { Form } from '../http/forms.ts';
import { OUTCOME } from '../words/desk/outcomes.ts';
import { at } from './command.ts';

/** The result of a command in one sentence, and where to go from there. */
export interface Outcome {
  readonly said: string;
  readonly ways?: readonly (readonly [to: string, words: string])[];
}

type Answer = Readonly<Record<string, unknown>>;
type Tell = (answer: Answer, typed: Form) => Outcome;

const usd = (value: unknown): string =>
  typeof value === 'number'
    ? `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`
    : OUTCOME.unknownPrice;
const deals = ({ handle }: Form) => [`/desk/deals?handle=${at(handle)}`, OUTCOME.ways.deal] as const;
const certificate = ({ tokenId }: Form) =>
  [`/certificates/${at(tokenId)}`, OUTCOME.ways.certificate] as const;
const orders = ({ handle }: Form) => [`/desk/orders?handle=${at(handle)}`, OUTCOME.ways.orders] as const;

function matched(answer: Answer, typed: Form): Outcome {
  const { clearingPriceUsd, dealId } = answer.match as Answer;
  return {
    said: OUTCOME.matched(usd(clearingPriceUsd), String(dealId)),
    ways: [deals(typed)],
  };
}

function order(answer: Answer, typed: Form): Outcome {
  if (answer.match !== undefined) return matched(answer, typed);
  if (answer.status === 'unfunded') {
    return {
      said: OUTCOME.unfunded(usd(answer.haveUsd), usd(answer.needUsd)),
      ways: [[`/agent/${at(typed.handle)}`, OUTCOME.ways.account], orders(typed)],
    };
  }
  if (answer.status !== 'resting')
    return { said: OUTCOME.ordered(String(answer.status)), ways: [orders(typed)] };
  return {
    said: OUTCOME.onBook(usd(answer.priceToBeatUsd)),
    ways: [
      [`/desk/cancel?handle=${at(typed.handle)}&orderId=${at(String(answer.orderId))}`, OUTCOME.ways.cancel],
      orders(typed),
    ],
  };
}

function listed(what: string): Tell {
  return (answer) => {
    if (answer.status !== 'unpaid') return { said: OUTCOME.listed.sale(what) };
    const to = `/desk/listing-fee?listingRef=${at(String(answer.listingRef))}`;
    return {
      said: OUTCOME.listed.unpaid(what, usd(answer.feeUsd)),
      ways: [[to, OUTCOME.ways.fee]],
    };
  };
}

const OUTCOMES: Readonly<Record<string, Tell>> = {
  order,
  cancel: (_, typed) => ({
    said: OUTCOME.cancelled,
    ways: [orders(typed)],
  }),
  decision: ({ decision }, typed) => ({
    said: decision === 'proceed' ? OUTCOME.proceeded : OUTCOME.stopped,
    ways: [deals(typed)],
  }),
  decisions: ({ decision, decided, refused }) => {
    const [taken, left] = [
      decided as readonly string[],
      refused as readonly { readonly dealId: string; readonly reason: string }[],
    ];
    const said = decision === 'proceed' ? OUTCOME.wentOn(taken.length) : OUTCOME.stoppedAll(taken.length);
    return {
      said: [said, ...left.map(({ dealId, reason }) => OUTCOME.undecided(dealId, reason))].join(' '),
      ways: [['/dashboard', OUTCOME.ways.dashboard]],
    };
  },
  list: listed(OUTCOME.listed.token),
  certify: listed(OUTCOME.listed.certificate),
  'name-sell': listed(OUTCOME.listed.name),
  'name-auction': ({ endsAt }, { name }) => ({
    said: OUTCOME.auction(String(endsAt).slice(0, 16).replace('T', ' ')),
    ways: [[`/names?name=${at(name)}`, OUTCOME.ways.name]],
  }),
  'name-bid': (answer, typed) => {
    if (answer.match !== undefined) return matched(answer, typed);
    const beat = usd(answer.priceToBeatUsd);
    return {
      said: answer.status === 'leading' ? OUTCOME.leading(beat) : OUTCOME.outbid(beat),
      ways: [[`/names?name=${at(typed.name)}`, OUTCOME.ways.auction]],
    };
  },
  'name-buy': matched,
  session: ({ typedData }, { action = '' }) => ({
    said: `${OUTCOME.session[action] ?? OUTCOME.sessionDone}${typedData === null ? OUTCOME.signLater : ''}`,
  }),
  'pause-all': ({ paused, refused }) => {
    const [stopped, left] = [
      paused as readonly string[],
      refused as readonly { readonly handle: string; readonly reason: string }[],
    ];
    const which =
      stopped.length === 0
        ? [OUTCOME.nobodyTraded]
        : [OUTCOME.paused(stopped.join(', ')), OUTCOME.pausedHereAlone];
    return {
      said: [...which, ...left.map(({ handle, reason }) => OUTCOME.notPaused(handle, reason))].join(' '),
      ways: stopped.map((handle) => [
        `/desk/session?handle=${at(handle)}&action=pause`,
        OUTCOME.ways.pauseOnChain(handle),
      ]),
    };
  },
  settings: ({ onFlagged, onInconclusive }) => ({
    said: [
      onFlagged === 'ask' ? OUTCOME.settings.flagged.ask : OUTCOME.settings.flagged.stop,
      OUTCOME.settings.inconclusive[
        onInconclusive === 'proceed' || onInconclusive === 'ask' ? onInconclusive : 'stop'
      ],
      OUTCOME.settings.holds,
    ].join(' '),
  }),
  dispute: ({ disputeId, replyUntil }, typed) => ({
    said: OUTCOME.disputed(String(disputeId), shortened(String(replyUntil))),
    ways: [certificate(typed)],
  }),
  'dispute-reply': (_, typed) => ({
    said: OUTCOME.replied,
    ways: [certificate(typed)],
  }),
  appeal: ({ overturned, verdict, recordId, disputeId, appealOf }) => ({
    said: disputeId
      ? OUTCOME.secondDecision
      : overturned
        ? OUTCOME.overturned(String(verdict))
        : OUTCOME.upheld(String(verdict)),
    ways: disputeId
      ? [[`/records/${at(String(appealOf))}`, OUTCOME.ways.decision]]
      : [[`/records/${at(String(recordId))}`, OUTCOME.ways.newRecord]],
  }),
};

/** How far an act has come that a contract checks. */
export function confirmedOutcome(answer: Answer, typed: Form): Outcome {
  const { status, reason, recordUrl } = answer;
  if (typeof recordUrl === 'string')
    return { said: OUTCOME.confirmed.recorded, ways: [[recordUrl, OUTCOME.ways.record]] };
  const ways = [[`/desk/acts?handle=${at(typed.handle)}`, OUTCOME.ways.progress]] as const;
  if (status === 'done') return { said: OUTCOME.confirmed.done, ways };
  if (status === 'failed')
    return { said: OUTCOME.confirmed.failed(String(reason ?? OUTCOME.confirmed.noReason)), ways };
  return { said: OUTCOME.confirmed.under, ways };
}

/** The outcome according to the answer; null when the command's own text says everything. */
export function outcomeOf(actId: string, answer: Answer, typed: Form): Outcome | null {
  return OUTCOMES[actId]?.(answer, typed) ?? null;
}
