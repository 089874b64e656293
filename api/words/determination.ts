import { type Html, html } from '../html/html.ts';

/** What is said of a determination, in an answer and in a record. */
export const DETERMINATION = {
  methods: {
    rules: 'fixed rules',
    statistics: 'statistics',
    adversarial: 'argues only for FLAGGED',
    llm: 'a language model, which may only tighten',
  },
  inconclusive: 'It could not be established either way. That is not a pass: with it nothing is CLEAN.',
  confidence: (of100: number) =>
    `Confidence ${of100} of 100. It orders verdicts of one kind, and is no probability.`,
  withdrawn: 'What was found, which no longer counts',
  coverage: 'How far it was looked, and what was not looked at',
  cleanAsFarAs: (asFarAs: string) => `CLEAN, as far as: ${asFarAs}`,
  lookedAt: (asFarAs: string) => `What was looked at: ${asFarAs}`,
  votes: 'How the reviewers voted',
  votesOf: (title: string) => `Reviewers and votes: ${title}`,
  voteColumns: {
    seat: 'Reviewer',
    vote: 'Vote',
    method: 'Method',
    source: 'Read through',
    reasons: 'Reasons',
  },
  dissent: (words: string) => html`<strong>Dissent:</strong> ${words}`,
  reasoning: 'The reasoning, step by step',
  reasoningOf: (title: string) => `Reasoning: ${title}`,
  stepColumns: {
    step: 'Step',
    seat: 'Reviewer',
    claim: 'Claim',
    rule: 'Rule',
    input: 'Read from',
    outcome: 'Outcome',
  },
  sources: (check: string) => html`Sources and their limits<span class="hidden">: ${check}</span>`,
  check: (id: string) => html`The check <code>${id}</code>.`,
  source: (name: string, asOf: Html, limit: string) => html`${name}, as of ${asOf}: ${limit}`,
  panel: {
    byChecks: 'Checks by fixed rules',
    voted: {
      FLAGGED: 'found a flag',
      INCONCLUSIVE: 'could not establish it',
      CLEAN: 'found nothing against it',
    },
    votes: (count: number, seats: number, words: string) => `${count} of ${seats} reviewers ${words}`,
    quorum: (quorum: string) => `; CLEAN needs ${quorum}`,
    block: (chain: string, block: string) => `${chain} at block ${block}`,
    read: (blocks: readonly string[]) => `; read ${blocks.join(' and ')}`,
    sentence: (depth: string, said: readonly string[], rest: string, latencyMs: string) =>
      `${depth}: ${said.join('; ')}${rest}; in ${latencyMs} ms`,
  },
} as const;

/** What the plot of comparable sales says. */
export const PRICES = {
  nearness: {
    'same-asset': 'the very asset',
    'same-kind': 'its kind',
    'same-category': 'its category',
  },
  dropped: {
    flagged: 'no: a flagged trade',
    repeat: 'no: one pair again',
    party: "no: a party's own trade",
    related: "no: the sides have each other's money",
  },
  sales: 'The sales',
  salesCaption: 'Comparable sales',
  weighed: 'yes, by its age',
  notWeighed: 'no: nearer sales were enough',
  columns: {
    sale: 'Sale',
    sold: 'Sold',
    price: 'Price',
    of: 'A sale of',
    weighed: 'Weighed',
    source: 'Source',
  },
  more: (rows: number) => ` The nearest ${rows} stand in the table.`,
  noneWeighed: 'None of the sales could be weighed',
  caption: (price: Html, said: string, more: string) =>
    html`Price asked about: ${price} (diamond). ${said}. Filled dots were weighed; rings are sales of less alike goods, and crosses were set aside.${more}`,
  title: 'Comparable sales and the price asked about',
  text: (sales: number, from: string, to: string, price: number, said: string) =>
    `${sales} ${sales === 1 ? 'sale' : 'sales'} from ${from} to ${to}. The price is ${price} dollars. ${said}`,
  median: 'median',
  asked: 'price asked about',
} as const;

/** What the drawing of who stands behind a wallet says. */
export const GRAPH = {
  region: 'Who decides over it, and where its money moved',
  owns: 'owns it',
  asked: 'asked about',
  caption:
    'Above: who decides over it. Left: whom its money came from. Right: where it went. A red frame is on a list.',
  above: 'Decided over by',
  before: 'money came from',
  after: 'money went to',
  native: (amount: string) => `${amount} of the chain’s coin`,
  /** Whom new tokens come from. */
  made: 'newly made',
  on: (words: string, chain: string) => `${words} on ${chain}`,
} as const;

/** What the page of error rates says. */
export const RATES = {
  heading: 'How verdicts turned out',
  lead: (tooFew: number) =>
    `Of CLEAN, wrong is what turned out fraudulent; of FLAGGED, what turned out honest. Below ${tooFew} records there are too few to tell.`,
  columns: {
    determination: 'Determination',
    said: 'Said',
    by: 'By the word of',
    honest: 'Honest',
    fraudulent: 'Fraudulent',
    contested: 'Contested',
    wrong: 'Wrong',
  },
  operator: 'the operator',
  parties: 'parties',
  caption: 'Error rates by determination',
  limits:
    'A party of a record says by signature what turned out, once and for good, and so does the operator. Parties speak for themselves, and only of records that somebody cared to speak of, so these are no rates of all verdicts. What is said judges nobody: no determination reads it. Fraud is held against the determination that looks for its kind.',
  how: 'How to say what turned out',
  accusesNobody: 'accuses nobody',
  tooFew: 'too few to tell',
} as const;
