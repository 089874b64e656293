import type { Hex } from '../../agents/canonical.ts';
import { asksWhat, type WalletCall } from '../methods.ts';
import { readCalldata } from './calldata.ts';
import { type Reading, ReadingNotes, type ReadTransaction } from './reading.ts';
import { readMessage } from './text-message.ts';
import { parseTypedData, readTypedData } from './typed-data.ts';
import {
  addressesInData,
  etherWords,
  readAddress,
  readData,
  readNumber,
  readWei,
  SEARCHED_BYTES,
} from './values.ts';

interface Context {
  /** The host that asks. */
  readonly host: string;
  /** The chain that the wallet says it is on. */
  readonly chainId: number | null;
}

/** Reads one request to a wallet, without asking anybody. Whatever it does not understand, it says so. */
export function readCall(call: WalletCall, context: Context): Reading {
  const notes = new ReadingNotes();
  const params = Array.isArray(call.params) ? (call.params as unknown[]) : [call.params];
  const common = { title: titleOf(call), addresses: addressesIn(call.params), text: null as string | null };
  let transactions: ReadTransaction[] = [];
  let chainId = context.chainId;
  switch (call.method) {
    case 'personal_sign':
      common.text = readMessage(notes, params, context.host);
      break;
    case 'eth_sign':
      notes.stop('It signs 32 bytes that nobody can read. They may be a transaction that takes everything.');
      break;
    case 'eth_sendTransaction':
    case 'eth_signTransaction':
    case 'wallet_sendTransaction':
      transactions = readTransactions(notes, params.slice(0, 1));
      chainId = chainOf(params[0]) ?? chainId;
      break;
    case 'wallet_sendCalls': {
      const batch = params[0] as { calls?: unknown } | null;
      transactions = readTransactions(notes, Array.isArray(batch?.calls) ? batch.calls : []);
      if (transactions.length === 0) notes.warn('It sends calls that cannot be read.');
      chainId = chainOf(batch) ?? chainId;
      break;
    }
    default:
      if (/^(?:eth|wallet)_signTypedData/.test(call.method)) {
        const data = params.map(parseTypedData).find((read) => read !== null) ?? null;
        if (data === null) notes.warn('It signs data in a form that cannot be read here.');
        else {
          readTypedData(notes, data);
          const own = readNumber(data.domain.chainId);
          if (own !== null && chainId !== null && own !== BigInt(chainId))
            notes.warn(`It is for chain ${own}, and the wallet is on ${chainId}.`);
          chainId = own === null ? chainId : Number(own);
        }
      } else if (asksWhat(call.method) !== 'connect')
        notes.warn(`It asks the wallet for ${call.method}. What that does cannot be read here.`);
  }
  return {
    ...common,
    ...{ changes: notes.changes, findings: notes.findings, subject: notes.subject },
    chainId,
    transactions,
  };
}

function titleOf({ method }: WalletCall): string {
  switch (asksWhat(method)) {
    case 'connect':
      return 'Connect your wallet';
    case 'sign':
      return 'Sign with your wallet';
    case 'send':
      return 'Send from your wallet';
    default:
      return `Ask your wallet for ${method}`;
  }
}

function chainOf(value: unknown): number | null {
  const chain = readNumber((value as { chainId?: unknown } | null)?.chainId);
  return chain === null ? null : Number(chain);
}

function readTransactions(notes: ReadingNotes, given: readonly unknown[]): ReadTransaction[] {
  return given.flatMap((value) => {
    const one = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    // Where a wallet takes both, it takes `data`; a page that says two things is believed in neither.
    const data = readData(one.data ?? one.input);
    if (one.data !== undefined && one.input !== undefined && readData(one.input) !== data)
      notes.stop('It carries two different calls at once.');
    const wei = readWei(one.value);
    const to = readAddress(one.to);
    if (one.authorizationList !== undefined)
      notes.stop('It lets other code act as your account from then on (EIP-7702).');
    if (wei > 0n) notes.out(`${etherWords(wei)} goes to ${to ?? 'a new contract'}.`);
    if (to === null) {
      notes.warn('It makes a new contract, or goes to somebody who cannot be read.');
      return [];
    }
    readCalldata(notes, to, data);
    if ((data.length - 2) / 2 > SEARCHED_BYTES)
      notes.warn('It is too long to be searched for listed addresses to its end.');
    notes.about(to);
    const from = readAddress(one.from);
    return [
      {
        to,
        ...(data === '0x' ? {} : { data }),
        ...(wei === 0n ? {} : { value: `${wei}` }),
        ...(from === null ? {} : { from }),
      },
    ];
  });
}

/** Every address that occurs anywhere in a request: as a value, a number, inside JSON, or inside call data. */
function addressesIn(value: unknown): string[] {
  const found = new Set<string>();
  collect(value, found, 0);
  return [...found];
}

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (depth > 40 || value === null || value === undefined) return;
  const address = readAddress(value);
  if (address !== null) found.add(address);
  if (typeof value === 'string') {
    if (/^\s*[[{]/.test(value)) collect(parsedJson(value), found, depth + 1);
    else if (/^(?:0x)?[0-9a-f]{42,}$/i.test(value))
      for (const a of addressesInData(readData(value) as Hex)) found.add(a);
    return;
  }
  if (typeof value === 'object')
    for (const [key, part] of Object.entries(value)) {
      const named = readAddress(key);
      if (named !== null) found.add(named);
      collect(part, found, depth + 1);
    }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
