/**
 * What the scripts of the pages say in the browser. Plain texts alone, so that a script takes along no more than its own:
 * each script has one part.
 */

export const CONNECT = {
  none: 'There is no wallet in this browser. Install one, or write your address into the forms: what is to be signed can be signed elsewhere and pasted.',
  choose: 'Choose a wallet',
  connect: 'Connect',
  disconnect: (address: string) => `Disconnect ${address}`,
  connected: (address: string) => `Connected: ${address}.`,
  disconnected: 'Disconnected.',
} as const;

export const WALLET = {
  unnamed: 'Wallet in this browser',
  noAccount: 'the wallet gave no account',
  unknownChain: (id: number) => `it does not know chain ${id}: add it there first`,
  refused: (why: string) => `The wallet did not do it: ${why}.`,
  noReason: 'no reason was given',
  byContract: (what: string) => `the contract refuses it (${what})`,
} as const;

export const TOOLS = {
  answer: 'Answer',
  unanswered: 'The service does not answer. Try it again.',
  fields: {
    secret: 'The secret, whsec_…',
    id: 'webhook-id',
    timestamp: 'webhook-timestamp',
    signature: 'webhook-signature',
    body: 'The body, exactly as it came',
  },
  check: 'Check it',
  holds: 'The signature holds: it is from here.',
  holdsNot: 'The signature does not hold.',
} as const;

export const IN_PLACE = {
  dialog: 'What you are about to do',
  close: 'Close',
  unanswered: 'The service does not answer. Try it again.',
  kept: 'The service does not answer now. The transfer that you signed is kept here: send it again, and it is charged once.',
  paying: 'The answer that you pay for is under way: wait for it here.',
} as const;

export const KNOWN = { none: 'None of your agents' } as const;

export const LIVE = { changed: (what: string) => `Changed: ${what}.` } as const;

export const SESSION = {
  other: (wallet: string) => `choose ${wallet} in it`,
  sign: 'Sign once to read what is yours',
  unanswered: 'The service does not answer. Try it again.',
  words: 'Deals with their findings, orders and earnings, for ten minutes. It lets nobody change anything.',
  over: 'The session is over.',
  unread: 'What is yours could not be read now.',
  changed: 'What waits for you has changed.',
  again: 'Read it again',
  left: (deals: number) =>
    deals === 0
      ? 'No deal waits for you any more.'
      : deals === 1
        ? '1 deal still waits for you.'
        : `${deals} deals still wait for you.`,
  file: 'safe-handshake-deals.csv',
} as const;

export const PROOF = {
  check: 'Check it in this browser',
  failed: (why: string) => `It could not be checked: ${why}`,
  unread: 'the record could not be read',
  results: { open: '? not checked', holds: '✓ holds', holdsNot: '✕ does not hold' },
  step: (step: string) => `${step.charAt(0).toUpperCase()}${step.slice(1)}.`,
  named:
    'Whether the signer and the ledger are the right ones: this service names both. The command takes yours.',
  noRoot: 'No root stands on the chain for it yet.',
  connect: 'Connect a wallet to ask the chain itself whether it holds the root.',
  changeChain: (id: number) => `Change the wallet to chain ${id} to ask it for the root.`,
  root: (ledger: string) => `The ledger ${ledger} holds the root.`,
} as const;

export const SIGNING = {
  waiting: 'Waiting for the wallet …',
  other: (owner: string) => `The wallet holds another account: choose ${owner} in it.`,
} as const;

export const SEEN = {
  count: (things: number) =>
    things === 0
      ? 'Nothing is new since you were last here.'
      : things === 1
        ? '1 thing is new since you were last here.'
        : `${things} things are new since you were last here.`,
} as const;

export const COPY = {
  copy: 'Copy',
  copyOf: (value: string) => `Copy ${value}`,
  copied: 'Copied.',
} as const;

export const TRANSACTION = {
  fund: (amount: string, handle: string) => `Send ${amount} dollars to the account of ${handle}.`,
  withdraw: (amount: string, handle: string) =>
    `Take ${amount} dollars out of the account of ${handle}, to your wallet.`,
  deposit: (tokenId: string, handle: string) => `Give token ${tokenId} to the account of ${handle}.`,
  approve: (tokenId: string) => `Let the Settlement contract deliver token ${tokenId} when it is sold.`,
  unknown: (kind: string) => `there is no act "${kind}"`,
  amount: 'Write an amount such as 12.50.',
  number: 'Write the number of the token in digits, such as 17.',
  contract: 'Write the contract of the token as 0x and 40 hex digits.',
  sell: 'Sell it',
  asked: (says: string) => `${says} The wallet asks you now.`,
  sent: (hash: string) => `Sent, ${hash}. Waiting for the chain …`,
  unseen: (hash: string) =>
    `Sent, ${hash}; not seen on the chain yet. It may still happen: look in your wallet before you send it again. The button is off until this page is loaded again.`,
  done: (says: string) => `Done. ${says}`,
  refused: 'The chain refused it: nothing moved.',
  settled: 'The chain has it.',
} as const;
