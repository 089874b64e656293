import type { Form } from '../http/forms.ts';
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
    : 'a price that was not told';
const deals = ({ handle }: Form) => [`/desk/deals?handle=${at(handle)}`, 'See the deal'] as const;
const certificate = ({ tokenId }: Form) => [`/certificates/${at(tokenId)}`, 'See the certificate'] as const;
const orders = ({ handle }: Form) => [`/desk/orders?handle=${at(handle)}`, 'See your orders'] as const;

function matched(answer: Answer, typed: Form): Outcome {
  const { clearingPriceUsd, dealId } = answer.match as Answer;
  return {
    said: `It matched at ${usd(clearingPriceUsd)}: deal ${String(dealId)}. Both sides are determined on now, and nothing has moved yet.`,
    ways: [deals(typed)],
  };
}

function order(answer: Answer, typed: Form): Outcome {
  if (answer.match !== undefined) return matched(answer, typed);
  if (answer.status === 'unfunded') {
    return {
      said: `The offer waits for money, and counts for nobody yet: the account holds ${usd(answer.haveUsd)} for it, and needs ${usd(answer.needUsd)}. Send it the money, and the order counts by itself.`,
      ways: [[`/agent/${at(typed.handle)}`, 'See the account'], orders(typed)],
    };
  }
  if (answer.status !== 'resting')
    return { said: `The order is ${String(answer.status)}.`, ways: [orders(typed)] };
  return {
    said: `The order is on the book until it matches or ends. The price to beat is ${usd(answer.priceToBeatUsd)}.`,
    ways: [
      [`/desk/cancel?handle=${at(typed.handle)}&orderId=${at(String(answer.orderId))}`, 'Take it back'],
      orders(typed),
    ],
  };
}

function listed(what: string): Tell {
  return (answer) => {
    if (answer.status !== 'unpaid') return { said: `${what}. It is for sale now.` };
    const to = `/desk/listing-fee?listingRef=${at(String(answer.listingRef))}`;
    return {
      said: `${what}, and nobody sees it yet: its fee of ${usd(answer.feeUsd)} is to be paid first, within a day.`,
      ways: [[to, 'Pay the fee']],
    };
  };
}

const SESSION: Readonly<Record<string, string>> = {
  pause: 'The agent is paused here: its orders are off the book.',
  resume: 'The agent may trade again, as soon as the chain lets it.',
  rotate: 'A new session key is ready; the old one holds until the chain has the new one.',
  retire: 'The agent is retired here: its orders are off the book for good.',
};

const OUTCOMES: Readonly<Record<string, Tell>> = {
  order,
  cancel: (_, typed) => ({
    said: 'The order is off the book, and what it held is free again.',
    ways: [orders(typed)],
  }),
  decision: ({ decision }, typed) => ({
    said:
      decision === 'proceed'
        ? 'You let the deal go on. It settles as soon as the other side lets it, too. That you decided on a finding stands on the public record.'
        : 'You stopped the deal: nothing moves, and what was held is free again. That it was stopped stands on the public record.',
    ways: [deals(typed)],
  }),
  list: listed('It is listed'),
  certify: listed('It is certified and listed'),
  'name-sell': listed('The name is listed at your ask'),
  'name-auction': ({ endsAt }, { name }) => ({
    said: `The auction runs until ${String(endsAt).slice(0, 16).replace('T', ' ')} UTC.`,
    ways: [[`/names?name=${at(name)}`, 'See it on the market']],
  }),
  'name-bid': (answer, typed) => {
    if (answer.match !== undefined) return matched(answer, typed);
    const beat = usd(answer.priceToBeatUsd);
    return {
      said:
        answer.status === 'leading'
          ? `Yours is the highest bid. The price to beat is ${beat}.`
          : `Somebody else bids more: yours does not lead. The price to beat is ${beat}.`,
      ways: [[`/names?name=${at(typed.name)}`, 'See the auction']],
    };
  },
  'name-buy': matched,
  session: ({ typedData }, { action = '' }) => ({
    said: `${SESSION[action] ?? 'It is done here.'}${typedData === null ? ' Something signed before is on its way to the chain: sign this one once that is there.' : ''}`,
  }),
  'pause-all': ({ paused, refused }) => {
    const [stopped, left] = [
      paused as readonly string[],
      refused as readonly { readonly handle: string; readonly reason: string }[],
    ];
    const which =
      stopped.length === 0
        ? 'No agent was trading.'
        : `Paused: ${stopped.join(', ')}. Their orders are off the book.`;
    return { said: [which, ...left.map(({ handle, reason }) => `${handle} was not: ${reason}`)].join(' ') };
  },
  settings: ({ onFlagged, onInconclusive }) => ({
    said: [
      onFlagged === 'ask'
        ? 'From now on a FLAGGED deal waits, and you are shown the findings.'
        : 'From now on a FLAGGED deal is stopped.',
      onInconclusive === 'proceed'
        ? 'One whose price, provenance or bidding could not be judged goes on.'
        : onInconclusive === 'ask'
          ? 'One whose price, provenance or bidding could not be judged waits for you.'
          : 'One whose price, provenance or bidding could not be judged is stopped.',
      'This holds for every agent that this wallet owns.',
    ].join(' '),
  }),
  dispute: ({ disputeId, replyUntil }, typed) => ({
    said: `The certificate is disputed, as ${String(disputeId)}. Its holder may reply until ${String(replyUntil).slice(0, 10)}, and then the operator decides.`,
    ways: [certificate(typed)],
  }),
  'dispute-reply': (_, typed) => ({
    said: 'Your reply stands beside the dispute, and the operator decides.',
    ways: [certificate(typed)],
  }),
  appeal: ({ overturned, verdict, recordId, disputeId, appealOf }) => ({
    said: disputeId
      ? 'The operator decides the dispute a second time.'
      : overturned
        ? `It was determined again, and is ${String(verdict)}: the first record is no longer held against you.`
        : `It was determined again, and is ${String(verdict)}: the first record stands.`,
    ways: disputeId
      ? [[`/records/${at(String(appealOf))}`, 'See the record of the first decision']]
      : [[`/records/${at(String(recordId))}`, 'See the new record']],
  }),
};

/** How far an act has come that a contract checks. */
export function confirmedOutcome(answer: Answer, typed: Form): Outcome {
  const { status, reason, recordUrl } = answer;
  if (typeof recordUrl === 'string')
    return { said: 'It is done, on chain and on the public record.', ways: [[recordUrl, 'See the record']] };
  const ways = [[`/desk/acts?handle=${at(typed.handle)}`, 'See what became of it']] as const;
  if (status === 'done') return { said: 'The chain has it: it holds now.', ways };
  if (status === 'failed')
    return { said: `The chain did not take it: ${String(reason ?? 'no reason was told')}.`, ways };
  return { said: 'It is signed, and on its way to the chain. It holds when the chain has it.', ways };
}

/** The outcome according to the answer; null when the command's own text says everything. */
export function outcomeOf(actId: string, answer: Answer, typed: Form): Outcome | null {
  return OUTCOMES[actId]?.(answer, typed) ?? null;
}
