import type { Hex } from '../../agents/canonical.ts';
import { asksWhat, type WalletCall } from '../methods.ts';
import { type Reading, ReadingNotes } from './reading.ts';
import { readMessage } from './text-message.ts';
import { readSending, type Sending } from './transactions.ts';
import { parseTypedData, readTypedData } from './typed-data.ts';
import { addressesInData, readAddress, readData, readNumber } from './values.ts';

interface Context {
  /** The host that asks. */
  readonly host: string;
  /** The chain that the wallet says it is on. */
  readonly chainId: number | null;
}

const SENDS_NOTHING = { transactions: [], trial: null } as const;

/** Reads one request to a wallet, without asking anybody. Whatever it does not understand, it says so. */
export function readCall(call: WalletCall, context: Context): Reading {
  const notes = new ReadingNotes();
  const params = Array.isArray(call.params) ? (call.params as unknown[]) : [call.params];
  const common = { title: titleOf(call), addresses: addressesIn(call.params), text: null as string | null };
  let sent: Sending = { ...SENDS_NOTHING, chainId: context.chainId };
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
    case 'wallet_sendCalls':
      sent = readSending(notes, call, context.chainId);
      break;
    default:
      if (/^(?:eth|wallet)_signTypedData/.test(call.method)) {
        const [data = null, ...more] = params.map(parseTypedData).filter((read) => read !== null);
        if (more.length > 0) notes.stop('It carries several things to sign, of which the wallet signs one.');
        if (data === null) notes.warn('It signs data in a form that cannot be read here.');
        else {
          readTypedData(notes, data, signerIn(params));
          const own = readNumber(data.domain.chainId);
          const { chainId } = context;
          if (own === null) notes.chainUnnamed(chainId);
          if (own !== null && chainId !== null && own !== BigInt(chainId))
            notes.warn(`It is for chain ${own}, and the wallet is on ${chainId}.`);
          sent = { ...SENDS_NOTHING, chainId: own === null ? chainId : Number(own) };
        }
      } else if (asksWhat(call.method) !== 'connect')
        notes.warn(`It asks the wallet for ${call.method}. What that does cannot be read here.`);
  }
  return {
    ...common,
    ...{ changes: notes.changes, findings: notes.findings, notChecked: notes.notChecked },
    ...{ subject: notes.subject, parties: notes.parties, whole: notes.whole, powers: notes.powers },
    ...sent,
  };
}

/** Typed data stands beside the account that signs it, in either order. */
function signerIn(params: readonly unknown[]): Hex | null {
  const named = [...new Set(params.map(readAddress).filter((account) => account !== null))];
  return named.length === 1 ? named[0]! : null;
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
