import type { Hex } from '../../agents/canonical.ts';
import { readCalldata } from './calldata.ts';
import { declaredPart, type Fields, fieldsOf, listOf } from './declared.ts';
import { ANY_AMOUNT, accountFault, callPower, permit2Power, tokenPower, transferPower } from './powers.ts';
import { aboutIn, type ReadingNotes } from './reading.ts';
import { shownName } from './text-message.ts';
import { readNftOrder, readOrder, readTokenOrder } from './typed-orders.ts';
import {
  address,
  amountWords,
  isData,
  isZero,
  readAddress,
  readData,
  readNumber,
  untilWords,
} from './values.ts';

/** EIP-712 typed data as a page gives it, an object or the same as JSON: what of it is signed. */
export interface TypedData {
  readonly primaryType: string;
  readonly domain: Fields;
  readonly message: Fields;
  /** False where its types do not say which of its fields are signed. */
  readonly declared: boolean;
  /** Fields that wallets do not read alike. */
  readonly ambiguous: readonly string[];
}

/** @returns null where it is no typed data of EIP-712, such as the list of the first version */
export function parseTypedData(given: unknown): TypedData | null {
  let value = given;
  if (typeof given === 'string') {
    try {
      value = JSON.parse(given);
    } catch {
      return null;
    }
  }
  const { types, primaryType, domain, message } = fieldsOf(value);
  if (typeof message !== 'object' || message === null) return null;
  const name = String(primaryType ?? '');
  const [about, said] = [
    declaredPart(fieldsOf(types), 'EIP712Domain', fieldsOf(domain)),
    declaredPart(fieldsOf(types), name, fieldsOf(message)),
  ];
  return {
    primaryType: name,
    domain: about?.fields ?? fieldsOf(domain),
    message: said?.fields ?? fieldsOf(message),
    declared: about !== null && said !== null,
    ambiguous: [about, said].flatMap((part) => part?.ambiguous ?? []),
  };
}

/** @param signer the account that signs; null where that cannot be read */
type Form = (notes: ReadingNotes, message: Fields, contract: Hex | null, signer: Hex | null) => boolean;

/** How each form is read, and the fields that it reads or that change nothing for the signer. */
const FORMS: readonly { readonly read: Form; readonly fields: readonly string[] }[] = [
  {
    read: readPermit2,
    fields: ['details', 'permitted', 'spender', 'sigDeadline', 'deadline', 'nonce'],
  },
  {
    read: readPermit,
    fields: [
      ...['owner', 'holder', 'spender', 'operator', 'value', 'amount', 'allowed', 'tokenId'],
      ...['nonce', 'deadline', 'expiry'],
    ],
  },
  { read: readAuthorization, fields: ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] },
  { read: readCancellation, fields: ['authorizer', 'nonce'] },
  {
    read: readOrder,
    fields: [
      ...[
        'tree',
        'offerer',
        'offer',
        'consideration',
        'orderType',
        'startTime',
        'endTime',
        'salt',
        'counter',
      ],
      ...['zone', 'zoneHash', 'conduitKey', 'totalOriginalConsiderationItems'],
    ],
  },
  {
    read: readNftOrder,
    fields: [
      ...['direction', 'maker', 'taker', 'expiry', 'nonce', 'erc20Token', 'erc20TokenAmount'],
      ...['erc721Token', 'erc721TokenId', 'erc1155Token', 'erc1155TokenId', 'erc1155TokenAmount'],
    ],
  },
  {
    read: readTokenOrder,
    fields: [
      ...['sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'receiver', 'validTo', 'kind', 'salt', 'nonce'],
      ...['makerToken', 'takerToken', 'makerAsset', 'takerAsset', 'maker', 'taker', 'expiry'],
      ...['makerAmount', 'takerAmount', 'makingAmount', 'takingAmount', 'partiallyFillable'],
      ...['collection', 'tokenId', 'price', 'basePrice', 'paymentToken', 'trader', 'offerer'],
    ],
  },
  {
    read: readForwarded,
    fields: [
      ...['from', 'to', 'value', 'data', 'operation', 'gas', 'nonce', 'deadline'],
      ...['safeTxGas', 'baseGas', 'gasPrice', 'gasToken', 'refundReceiver'],
    ],
  },
];

/**
 * Notes what a signature under this typed data allows. What it is, its fields tell, not its name: a name costs a page
 * nothing.
 */
export function readTypedData(notes: ReadingNotes, data: TypedData, signer: Hex | null): void {
  const { primaryType, domain, message, declared, ambiguous } = data;
  const contract = readAddress(domain.verifyingContract);
  const form = FORMS.find(({ read }) => read(notes, message, contract, signer));
  if (form === undefined)
    notes.unread(
      `It signs “${primaryType}” for ${contract ?? 'no contract that it names'}. What that allows cannot be read here.`,
    );
  else
    for (const [name, value] of Object.entries(message))
      if (!form.fields.includes(name) && !(Array.isArray(value) && value.length === 0))
        notes.unread(`It also signs “${shownName(name)}”, which cannot be read here.`);
  if (!declared) notes.unread('It does not declare which of its fields are signed.');
  for (const name of ambiguous)
    notes.unread(`It writes “${shownName(name)}” without 0x, which wallets read in several ways.`);
  if (contract !== null) notes.called(contract);
}

/** ERC-2612, DAI's form of it, and the permits of ERC-721 tokens (ERC-4494). */
function readPermit(notes: ReadingNotes, m: Fields, token: Hex | null, signer: Hex | null): boolean {
  const spender = m.spender ?? m.operator;
  if (spender === undefined) return false;
  if (m.value === undefined && m.allowed === undefined && m.tokenId === undefined && m.amount === undefined)
    return false;
  const amount = m.value ?? m.amount;
  const of = token ?? 'a token that it does not name';
  const nothing = m.allowed === undefined && amount !== undefined && readNumber(amount) === 0n;
  if (m.allowed === false || nothing) notes.note(`${address(spender)} may take nothing of ${of} any more.`);
  else {
    const what =
      m.allowed !== undefined
        ? 'any amount'
        : amount !== undefined
          ? amountWords(readNumber(amount))
          : `token ${String(m.tokenId)}`;
    const until = untilWords(readNumber(m.deadline ?? m.expiry));
    notes.allow(`${address(spender)} may take ${what} of ${of}${until}.`);
    const fault = accountFault(signer, m.owner ?? m.holder);
    const given = m.allowed !== undefined ? ANY_AMOUNT : readNumber(amount ?? m.tokenId);
    notes.power(
      fault ?? tokenPower(token, { signer: signer!, spender: readAddress(spender), amount: given }),
    );
  }
  aboutIn(notes, spender);
  return true;
}

/** Permit2: allowances, and transfers by signature, alone and in batches. */
function readPermit2(notes: ReadingNotes, m: Fields, contract: Hex | null, signer: Hex | null): boolean {
  const details = [...listOf(m.details), ...(Array.isArray(m.details) ? [] : [m.details])];
  const permitted = [...listOf(m.permitted), ...(Array.isArray(m.permitted) ? [] : [m.permitted])];
  const parts = [...details, ...permitted].map(fieldsOf).filter((part) => part.token !== undefined);
  if (parts.length === 0 || m.spender === undefined) return false;
  for (const part of parts) {
    const [amount, until] = [readNumber(part.amount), readNumber(part.expiration ?? m.deadline)];
    const once = permitted.includes(part) ? ', once' : '';
    notes.allow(
      `${address(m.spender)} may take ${amountWords(amount)} of ${address(part.token)}${once}${untilWords(until)}, by Permit2.`,
    );
    const given = { spender: readAddress(m.spender), token: readAddress(part.token), amount, until };
    notes.power(accountFault(signer, undefined) ?? permit2Power(contract, { ...given, signer: signer! }));
  }
  aboutIn(notes, m.spender);
  return true;
}

/** EIP-3009, by which x402 pays. */
function readAuthorization(notes: ReadingNotes, m: Fields, token: Hex | null, signer: Hex | null): boolean {
  if (m.from === undefined || m.to === undefined || m.value === undefined || m.validBefore === undefined)
    return false;
  const amount = readNumber(m.value);
  notes.out(`${amountWords(amount)} of ${token ?? 'a token'} goes to ${address(m.to)}.`);
  if (amount === null) notes.unread('The amount that it sends cannot be read.');
  const fault = accountFault(signer, m.from);
  notes.power(fault ?? transferPower(token, { signer: signer!, to: readAddress(m.to), amount }));
  aboutIn(notes, m.to);
  return true;
}

/** EIP-3009: an authorised transfer that was not carried out yet never will be. */
function readCancellation(notes: ReadingNotes, m: Fields, token: Hex | null): boolean {
  const names = Object.keys(m);
  if (names.length !== 2 || m.authorizer === undefined || m.nonce === undefined) return false;
  notes.note(`It takes back a transfer of ${token ?? 'a token'} that ${address(m.authorizer)} has signed.`);
  return true;
}

/**
 * A call that somebody else sends in the signer's name: a Safe's transaction, a forwarder's request (ERC-2771). Tokens have
 * transfers signed as `from`, `to` and `value` too, and mean their own units by it.
 */
function readForwarded(notes: ReadingNotes, m: Fields, contract: Hex | null, signer: Hex | null): boolean {
  const to = readAddress(m.to);
  if (to === null || m.data === undefined || (m.operation === undefined && m.gas === undefined)) return false;
  // Wallets take more spellings of a number than are read here: what cannot be read may be any.
  if (m.operation !== undefined && readNumber(m.operation) === null)
    notes.stop(
      `It may let the code of ${to} act as the account (delegatecall): how it calls cannot be read.`,
    );
  else if (!isZero(m.operation)) notes.stop(`It lets the code of ${to} act as the account (delegatecall).`);
  const value = readNumber(m.value) ?? 0n;
  if (m.value !== undefined && readNumber(m.value) === null)
    notes.unread('The amount that it sends cannot be read.');
  if (value > 0n) {
    notes.out(`${value} wei goes to ${to}.`);
    notes.about(to);
  }
  if (!isZero(m.gasPrice)) notes.unread(`It pays for gas besides, to ${address(m.refundReceiver)}.`);
  if (!isData(m.data)) notes.unread('What it calls cannot be read.');
  const data = readData(m.data);
  readCalldata(notes, to, data);
  notes.called(to);
  // A Safe acts itself, by the word of those who own it.
  const bySafe = m.operation !== undefined && m.from === undefined;
  const fault = bySafe ? null : accountFault(signer, m.from, true);
  const from = bySafe ? contract : signer;
  notes.power(fault ?? callPower(from, { to, data, value }));
  return true;
}
