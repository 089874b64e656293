/** Which requests to a wallet are judged before the wallet hears of them. Names: EIP-1193, 1102, 2255, 5792, 7715, CAIP-25, -27. */

/** What a request asks a wallet to do. */
export type Asks = 'connect' | 'sign' | 'send' | 'other';

const CONNECT = [
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'wallet_connect',
  'wallet_createSession',
  'wallet_requestAccounts',
  'wallet_requestSnaps',
  'wallet_enable',
];
const SIGN = [
  'eth_sign',
  'personal_sign',
  'eth_signTypedData',
  'eth_signTypedData_v1',
  'eth_signTypedData_v3',
  'eth_signTypedData_v4',
  'eth_signTransaction',
  'wallet_signTypedData',
  'wallet_signIn',
];
const SEND = ['eth_sendTransaction', 'wallet_sendTransaction', 'wallet_sendCalls', 'eth_sendUserOperation'];

/** Sounds as if it signed, sent or allowed something, and does not: it asks, or carries what was signed before. */
const HARMLESS = [
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_accounts',
  'wallet_getPermissions',
  'wallet_revokePermissions',
  'wallet_getSession',
  'wallet_revokeSession',
  'wallet_getSnaps',
  'wallet_getCallsStatus',
  'wallet_showCallsStatus',
];

/** Questions about the chain, and what wallets say of themselves. */
const SAYS_NOTHING = /^eth_get(?!Encryption)|^metamask_|Changed$/;

/** What no list knows yet, and what a wallet does under a name of its own, is asked about rather than let through. */
const SUSPECT =
  /sign|send|permission|account|decrypt|encrypt|snap|grant|session|invoke|delegat|authori[sz]|transfer|approve/i;

/** The same data as functions without prototypes: it is used in the page too, where nothing else may be relied on. */
const KNOWN: Readonly<Record<string, Asks | 'nothing'>> = (() => {
  const known = Object.create(null) as Record<string, Asks | 'nothing'>;
  for (const name of CONNECT) known[name] = 'connect';
  for (const name of SIGN) known[name] = 'sign';
  for (const name of SEND) known[name] = 'send';
  for (const name of HARMLESS) known[name] = 'nothing';
  return Object.freeze(known);
})();

const { apply } = Reflect;
const { exec } = RegExp.prototype;

/** @returns null for a method that changes nothing and gives nothing away */
export function asksWhat(method: string): Asks | null {
  const known = KNOWN[method];
  if (known !== undefined) return known === 'nothing' ? null : known;
  if (apply(exec, SAYS_NOTHING, [method]) !== null) return null;
  return apply(exec, SUSPECT, [method]) === null ? null : 'other';
}

/** One request to a wallet. */
export interface WalletCall {
  readonly method: string;
  readonly params: unknown;
}
