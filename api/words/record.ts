import { chainName } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';

/** What the page of a record says. */
export const RECORD = {
  title: (recordId: string) => `Record ${recordId}`,
  means: {
    CLEAN: 'Every check that applies was passed.',
    FLAGGED: 'Something was found, or could not be established. Nothing should move before you have read it.',
    INCONCLUSIVE: 'It could not be established either way. That is not a pass.',
  } as Readonly<Record<string, string>>,
  /** In place of what the verdict means. */
  withdrawn: {
    retracted:
      'This record was taken back. What it says no longer counts, and nobody is cleared or accused by it.',
    overturned:
      'It was judged again on appeal, and did not stand. Its verdict no longer counts: read the record of the appeal.',
  },
  withdrawnSummary: (how: string, summary: string) => `${how.toUpperCase()}: ${summary}`,
  state: 'State of the record',
  inscribed: 'inscribed',
  onChain: (tx: Html) => html`stands on the chain ${tx}`,
  nextBatch: 'the next batch takes it to the chain',
  facts: {
    record: 'Record',
    subject: 'Subject',
    agents: 'Agents',
    noAgents: 'none',
    issued: 'Issued',
    retracted: 'Retracted',
    retractedBy: (at: Html, reason: string) => html`${at}: ${reason}`,
    caused: 'What it caused',
    goneOn: 'Gone on without',
    waived: (what: string, whose: Html) => html`${what}, by ${whose}`,
    byMandate: (version: number) => html`the mandate, version ${version}`,
    bySettings: (wallet: Html) => html`the settings of ${wallet}`,
    appealedAgainst: 'Appealed against',
    appealAgainst: 'Appeal against',
    decidedAgain: 'Decided a second time',
    determinedAgain: 'Judged again on fresh evidence',
    again: (how: string, record: Html) => html`${how}: ${record}`,
    turnedOut: 'Turned out',
    outcome: (what: string, who: Html | string, at: Html, evidence: readonly Html[]) =>
      html`${what}, says ${who}, ${at}${evidence}`,
    operator: 'the operator',
  },
  effects: {
    stop: 'the deal stops',
    ask: 'its owner is asked',
    proceed: 'the deal goes on',
  } as Readonly<Record<string, string>>,
  contest: (to: string) =>
    html`<a href="${to}">Contest it</a>, if it is about you: it is judged again, and both records stay.`,
  contestDecision: (to: string) =>
    html`It can be contested once, within seven days, by a side of the dispute: <a href="${to}">contest it</a>.`,
  happened: 'What happened',
  members: {
    priceUsd: 'Price',
    feeUsd: 'Fee',
    amountUsd: 'Paid',
    buyer: 'Buyer',
    seller: 'Seller',
    from: 'From',
    to: 'To',
    owner: 'Owner',
    account: 'Account',
    decision: 'Decision',
    reason: 'Reason',
    disputeId: 'Dispute',
    wallet: 'Disputed by',
    grounds: 'Grounds',
    reply: 'Reply',
    cause: 'Cause of the hold',
    category: 'Category',
    dealId: 'Deal',
    mandateHash: 'Hash of the mandate',
    determinations: 'Determinations',
    tx: 'Transaction',
  } as Readonly<Record<string, string>>,
  proof: {
    heading: 'Proof',
    words: (spec: string) =>
      html`The hash is keccak-256 over the canonical JSON of the record below. The service signed it, and once anchored it stands under a root that the ledger contract holds. <a href="${spec}">How to check it</a> without trusting this service; the command does all of it, for the signer and the ledger that you trust. Your browser can take the same steps by its own reckoning, for those that this service names:`,
    command: 'Command that checks this record',
    hash: 'Hash',
    signer: 'Signed by',
    signature: 'Signature',
    anchored: 'Anchored',
    notYet: 'not yet: the next batch takes it along',
    root: 'Root',
    leaf: 'Leaf',
    place: (index: number, size: number, leaf: Html) => html`${index} of ${size}: ${leaf}`,
    siblings: 'Siblings',
    noSiblings: 'none',
    anchoredIn: 'Anchored in',
    chain: (tx: Html, chainId: number) => html`${tx} on ${chainName(`eip155:${chainId}`)}`,
    ledger: 'Ledger',
    batch: (contract: Html, batch: string) => html`${contract} batch ${batch}`,
  },
  asHashed: 'The record, exactly as it is hashed',
  evidence: 'The evidence it was judged on',
  documents: { record: 'Record', evidence: 'Evidence' },
} as const;

/** What is said at a glance of how checks came out. */
export const SUMMARY = {
  passed: (passed: number, all: number) => `${passed} of ${all} ${all === 1 ? 'check' : 'checks'} passed`,
  /** By outcome, beside the number of such checks. */
  counts: { FLAG: 'found against it', INCONCLUSIVE: 'could not be established', PASS: 'passed' },
  more: (left: number) => `and ${left} more`,
} as const;
