import type { Hex } from '../../agents/canonical.ts';
import type { WalletCall } from '../methods.ts';
import { readCalldata } from './calldata.ts';
import { FEE_FIELDS, noteFee } from './fees.ts';
import type { Reading, ReadingNotes, ReadTransaction } from './reading.ts';
import { shownName } from './text-message.ts';
import { etherWords, isData, readAddress, readData, readNumber, readWei, SEARCHED_BYTES } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a request sends. */
export type Sending = Pick<Reading, 'chainId' | 'transactions' | 'trial'>;

/** Several calls of one account (EIP-5792); a transaction is one of them. */
interface Batch {
  readonly of: Fields;
  readonly calls: readonly unknown[];
}

const BATCH_FIELDS = ['version', 'id', 'from', 'chainId', 'atomicRequired', 'calls', 'capabilities'];
const CALL_FIELDS = [
  ...['to', 'data', 'input', 'value', 'from', 'chainId', 'nonce', 'type', 'accessList'],
  ...FEE_FIELDS,
];

/** Reads what a request for transactions sends, and whether it is one that can be tried out as it will be sent. */
export function readSending(
  notes: ReadingNotes,
  { method, params }: WalletCall,
  walletChain: number | null,
): Sending {
  const [first, ...more] = Array.isArray(params) ? (params as unknown[]) : [params];
  if (more.some((value) => typeof value === 'object' && value !== null))
    notes.unread('It says more than the transaction that is read here.');
  const of = fieldsOf(first);
  const batch =
    method === 'wallet_sendCalls'
      ? { of, calls: Array.isArray(of.calls) ? (of.calls as unknown[]) : [] }
      : { of: {}, calls: [first] };
  if (batch.calls.length === 0) notes.unread('It sends calls that cannot be read.');
  if (method === 'wallet_sendCalls') {
    noteUnknown(notes, of, BATCH_FIELDS);
    noteCapabilities(notes, of.capabilities);
  }
  const chain = readChain(notes, batch, walletChain);
  const read = batch.calls.map((call) => readTransaction(notes, fieldsOf(call), batch.of));
  const transactions = read.filter((one) => one !== null);
  const trial = trialOf(batch, read, chain.same);
  return { chainId: chain.id, transactions, trial };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The calls that are asked for count, not those that could be read: what is left out is sent all the same. */
function trialOf(
  { calls, of }: Batch,
  read: readonly (ReadTransaction | null)[],
  sameChain: boolean,
): ReadTransaction | string {
  if (calls.length > 1) return `These ${calls.length} transactions were not tried out`;
  const [one = null] = read;
  if (one === null) return 'It was not tried out, because it cannot be read whole';
  if (!sameChain) return 'It was not tried out, because it is not certain on which chain it is sent';
  if (one.from === undefined) {
    const said = fieldsOf(calls[0]).from ?? of.from;
    return `It was not tried out, because it ${said === undefined ? 'does not say' : 'does not say clearly'} which account sends it`;
  }
  return one;
}

/** The chain that it names, else the wallet's; the same only where the wallet says so too. */
function readChain(
  notes: ReadingNotes,
  { of, calls }: Batch,
  walletChain: number | null,
): { readonly id: number | null; readonly same: boolean } {
  const given = [of, ...calls.map(fieldsOf)].map(({ chainId }) => chainId).filter((said) => said != null);
  const named = [...new Set(given.map(readNumber))];
  const [own = null] = named;
  if (named.length > 1 || named.includes(null)) {
    notes.unread('It names several chains, or one that cannot be read.');
    return { id: own === null ? walletChain : Number(own), same: false };
  }
  if (walletChain === null) return { id: own === null ? null : Number(own), same: false };
  if (own === null) notes.chainUnnamed(walletChain);
  if (own === null || own === BigInt(walletChain)) return { id: walletChain, same: true };
  notes.unread(`It is for chain ${own}, and the wallet is on ${walletChain}.`);
  return { id: Number(own), same: false };
}

/** @returns null for what is sent otherwise than it could be tried out */
function readTransaction(notes: ReadingNotes, one: Fields, batch: Fields): ReadTransaction | null {
  // Where a wallet takes both, it takes `data`; a page that says two things is believed in neither.
  const given = one.data ?? one.input;
  const data = readData(given);
  if (one.data !== undefined && one.input !== undefined && readData(one.input) !== data)
    notes.stop('It carries two different calls at once.');
  const wei = readWei(one.value);
  const to = readAddress(one.to);
  if (one.authorizationList !== undefined)
    notes.stop('It lets other code act as your account from then on (EIP-7702).');
  noteCapabilities(notes, one.capabilities);
  noteUnknown(notes, one, [...CALL_FIELDS, 'authorizationList', 'capabilities']);
  noteFee(notes, one);
  if (wei === null) notes.unread('The amount that it sends cannot be read.');
  if (given != null && !isData(given)) notes.unread('What it calls cannot be read.');
  if (wei !== null && wei > 0n) notes.out(`${etherWords(wei)} goes to ${to ?? 'a new contract'}.`);
  if (to === null) {
    notes.unread('It makes a new contract, or goes to somebody who cannot be read.');
    return null;
  }
  readCalldata(notes, to, data);
  if ((data.length - 2) / 2 > SEARCHED_BYTES)
    notes.warn('It is too long to be searched for listed addresses to its end.');
  notes.about(to);
  if (wei === null || (given != null && !isData(given))) return null;
  const from = senderOf(notes, one, batch);
  return {
    to,
    ...(data === '0x' ? {} : { data }),
    ...(wei === 0n ? {} : { value: `${wei}` }),
    ...(from === null ? {} : { from }),
  };
}

/** A batch says once who sends its calls. */
function senderOf(notes: ReadingNotes, one: Fields, batch: Fields): Hex | null {
  const [own, all] = [one.from ?? null, batch.from ?? null];
  if (own !== null && all !== null && readAddress(own) !== readAddress(all)) {
    notes.unread('It names two accounts that send it.');
    return null;
  }
  return readAddress(own ?? all);
}

/** What wallets do besides, where a site asks for it (EIP-5792): they come to more all the time. */
function noteCapabilities(notes: ReadingNotes, given: unknown): void {
  for (const name of given == null ? [] : Object.keys(fieldsOf(given)))
    notes.unread(`It asks the wallet for “${shownName(name)}” besides. What that does cannot be read here.`);
}

function noteUnknown(notes: ReadingNotes, fields: Fields, known: readonly string[]): void {
  for (const [name, value] of Object.entries(fields))
    if (value != null && !known.includes(name))
      notes.unread(`It says “${shownName(name)}”, which cannot be read here.`);
}
