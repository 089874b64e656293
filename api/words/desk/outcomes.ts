/** What came of an act, in a sentence. */
export const OUTCOME = {
  unknownPrice: 'a price that was not told',
  ways: {
    pauseOnChain: (handle: string) => `Pause ${handle} on chain`,
    deal: 'See the deal',
    certificate: 'See the certificate',
    orders: 'See your orders',
    account: 'See the account',
    cancel: 'Take it back',
    fee: 'Pay the fee',
    name: 'See it on the market',
    auction: 'See the auction',
    decision: 'See the record of the first decision',
    newRecord: 'See the new record',
    record: 'See the record',
    progress: 'See what became of it',
    dashboard: 'Go to your dashboard',
  },
  matched: (price: string, dealId: string) =>
    `It matched at ${price}: deal ${dealId}. Both sides are checked now, and nothing has moved yet.`,
  unfunded: (has: string, needs: string) =>
    `The offer waits for money, and counts for nobody yet: the account holds ${has} for it, and needs ${needs}. Send it the money, and the order counts by itself.`,
  ordered: (status: string) => `The order is ${status}.`,
  onBook: (toBeat: string) =>
    `The order is on the book until it matches or ends. The price to beat is ${toBeat}.`,
  listed: {
    token: 'It is listed',
    certificate: 'It is certified and listed',
    name: 'The name is listed at your ask',
    sale: (what: string) => `${what}. It is for sale now.`,
    unpaid: (what: string, fee: string) =>
      `${what}, and nobody sees it yet: its fee of ${fee} is to be paid first, within a day.`,
  },
  session: {
    pause: 'The agent is paused here: its orders are off the book, except in a running auction.',
    resume: 'The agent may trade again, as soon as the chain lets it.',
    rotate: 'A new session key is ready; the old one holds until the chain has the new one.',
    retire:
      'The agent is retired here: its orders are off the book for good, and in a running auction they count for nothing at its end.',
  } as Readonly<Record<string, string>>,
  sessionDone: 'It is done here.',
  signLater: ' Something signed before is on its way to the chain: sign this one once that is there.',
  cancelled: 'The order is off the book, and what it held is free again.',
  proceeded:
    'You let the deal go on. It settles as soon as the other side lets it, too. That you decided on a finding stands on the public record.',
  stopped:
    'You stopped the deal: nothing moves, and what was held is free again. That it was stopped stands on the public record.',
  wentOn: (deals: number) =>
    deals === 1
      ? 'You let 1 deal go on. It settles as soon as the other side lets it, too.'
      : `You let ${deals} deals go on. They settle as soon as the other sides let them, too.`,
  stoppedAll: (deals: number) =>
    deals === 1
      ? 'You stopped 1 deal: nothing moves.'
      : `You stopped ${deals} deals: nothing moves, and what was held is free again.`,
  undecided: (dealId: string, reason: string) => `Nothing was decided on ${dealId}: ${reason}`,
  auction: (until: string) => `The auction runs until ${until} UTC.`,
  leading: (toBeat: string) => `Yours is the highest bid. The price to beat is ${toBeat}.`,
  outbid: (toBeat: string) => `Somebody else bids more: yours does not lead. The price to beat is ${toBeat}.`,
  nobodyTraded: 'No agent was trading.',
  paused: (handles: string) =>
    `Paused: ${handles}. Their orders are off the book, except in a running auction.`,
  /** The service's pause stops no session key: only the contract does. */
  pausedHereAlone:
    'So far the service alone holds them to it, and the chain does not: whoever holds a session key could still spend inside the limits. Sign the pause of each, and the chain holds to it.',
  notPaused: (handle: string, reason: string) => `${handle} was not: ${reason}`,
  settings: {
    flagged: {
      ask: 'From now on a FLAGGED deal waits, and you are shown the findings.',
      stop: 'From now on a FLAGGED deal is stopped.',
    },
    inconclusive: {
      proceed: 'One whose price, provenance or bidding could not be judged goes on.',
      ask: 'One whose price, provenance or bidding could not be judged waits for you.',
      stop: 'One whose price, provenance or bidding could not be judged is stopped.',
    },
    holds: 'This holds for every agent that this wallet owns.',
  },
  disputed: (disputeId: string, replyUntil: string) =>
    `The certificate is disputed, as ${disputeId}. Its holder may reply until ${replyUntil}, and then the operator decides.`,
  replied: 'Your reply stands beside the dispute, and the operator decides.',
  secondDecision: 'The operator decides the dispute a second time.',
  overturned: (verdict: string) =>
    `It was judged again, and is ${verdict}: the first record is no longer held against you.`,
  upheld: (verdict: string) => `It was judged again, and is ${verdict}: the first record stands.`,
  confirmed: {
    recorded: 'It is done, on chain and on the public record.',
    done: 'The chain has it: it holds now.',
    failed: (reason: string) => `The chain did not take it: ${reason}.`,
    noReason: 'no reason was told',
    under: 'It is signed, and on its way to the chain. It holds when the chain has it.',
  },
} as const;
