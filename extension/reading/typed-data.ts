import type { Hex } from '../../agents/canonical.ts';
import { readCalldata } from './calldata.ts';
import type { ReadingNotes } from './reading.ts';
import { amountWords, readAddress, readData, readNumber, untilWords } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** EIP-712 typed data as a page gives it: an object, or the same as JSON. */
export interface TypedData {
  readonly primaryType: string;
  readonly domain: Fields;
  readonly message: Fields;
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
  const { primaryType, domain, message } = fieldsOf(value);
  if (typeof message !== 'object' || message === null) return null;
  return { primaryType: String(primaryType ?? ''), domain: fieldsOf(domain), message: fieldsOf(message) };
}

const address = (value: unknown): string => readAddress(value) ?? 'somebody who cannot be read';

/**
 * Notes what a signature under this typed data allows. What it is, its fields tell, not its name: a name costs a page
 * nothing.
 */
export function readTypedData(notes: ReadingNotes, { primaryType, domain, message }: TypedData): void {
  const contract = readAddress(domain.verifyingContract);
  const read =
    readPermit2(notes, message) ||
    readPermit(notes, contract, message) ||
    readAuthorization(notes, contract, message) ||
    readOrder(notes, message) ||
    readNftOrder(notes, message) ||
    readTokenOrder(notes, message) ||
    readForwarded(notes, message);
  if (!read)
    notes.warn(
      `It signs “${primaryType}” for ${contract ?? 'no contract that it names'}. What that allows cannot be read here.`,
    );
  if (contract !== null) notes.about(contract);
}

/** ERC-2612, DAI's form of it, and the permits of ERC-721 tokens (ERC-4494). */
function readPermit(notes: ReadingNotes, token: Hex | null, m: Fields): boolean {
  const spender = m.spender ?? m.operator;
  if (spender === undefined) return false;
  if (m.value === undefined && m.allowed === undefined && m.tokenId === undefined && m.amount === undefined)
    return false;
  const amount = m.value ?? m.amount;
  const of = token ?? 'a token that it does not name';
  if (m.allowed === false || (amount !== undefined && readNumber(amount) === 0n))
    notes.note(`${address(spender)} may take nothing of ${of} any more.`);
  else {
    const what =
      m.allowed !== undefined
        ? 'any amount'
        : amount !== undefined
          ? amountWords(readNumber(amount))
          : `token ${String(m.tokenId)}`;
    const until = untilWords(readNumber(m.deadline ?? m.expiry));
    notes.allow(`${address(spender)} may take ${what} of ${of}${until}.`);
  }
  about(notes, spender);
  return true;
}

/** Permit2: allowances, and transfers by signature, alone and in batches. */
function readPermit2(notes: ReadingNotes, m: Fields): boolean {
  const details = [...listOf(m.details), ...(Array.isArray(m.details) ? [] : [m.details])];
  const permitted = [...listOf(m.permitted), ...(Array.isArray(m.permitted) ? [] : [m.permitted])];
  const parts = [...details, ...permitted].map(fieldsOf).filter((part) => part.token !== undefined);
  if (parts.length === 0 || m.spender === undefined) return false;
  for (const part of parts) {
    const until = untilWords(readNumber(part.expiration ?? m.deadline));
    const once = permitted.includes(part) ? ', once' : '';
    notes.allow(
      `${address(m.spender)} may take ${amountWords(readNumber(part.amount))} of ${address(part.token)}${once}${until}, by Permit2.`,
    );
  }
  about(notes, m.spender);
  return true;
}

/** EIP-3009, by which x402 pays. */
function readAuthorization(notes: ReadingNotes, token: Hex | null, m: Fields): boolean {
  if (m.from === undefined || m.to === undefined || m.value === undefined || m.validBefore === undefined)
    return false;
  notes.out(`${amountWords(readNumber(m.value))} of ${token ?? 'a token'} goes to ${address(m.to)}.`);
  about(notes, m.to);
  return true;
}

/** Seaport's orders, alone or many in one tree: what is offered goes, what is considered arrives. */
function readOrder(notes: ReadingNotes, m: Fields): boolean {
  const orders = ordersIn(m);
  for (const order of orders) {
    const offerer = readAddress(order.offerer);
    let arrives = false;
    for (const item of listOf(order.offer).map(fieldsOf))
      notes.out(`${itemWords(item)} is offered for sale.`);
    for (const item of listOf(order.consideration).map(fieldsOf)) {
      const amount = readNumber(item.startAmount ?? item.amount) ?? 0n;
      if (readAddress(item.recipient) === offerer && amount > 0n) {
        arrives = true;
        notes.arrives(`${itemWords(item)} comes for it.`);
      } else if (readAddress(item.recipient) !== offerer) {
        notes.out(`${itemWords(item)} of the price goes to ${address(item.recipient)}.`);
        about(notes, item.recipient);
      }
    }
    if (listOf(order.offer).length > 0 && !arrives)
      notes.stop('It sells for nothing: no part of the price comes to you.');
  }
  return orders.length > 0;
}

function ordersIn(value: unknown, depth: number = 0): Fields[] {
  if (depth > 26) return [];
  if (Array.isArray(value)) return value.flatMap((part) => ordersIn(part, depth + 1));
  const m = fieldsOf(value);
  if (Array.isArray(m.offer) && Array.isArray(m.consideration))
    return readAddress(m.offerer) === `0x${'0'.repeat(40)}` ? [] : [m];
  return m.tree === undefined ? [] : ordersIn(m.tree, depth + 1);
}

function itemWords(item: Fields): string {
  const amount = readNumber(item.startAmount ?? item.amount);
  const kind = readNumber(item.itemType);
  if (kind === 0n) return `${amount} wei`;
  if (kind === 1n) return `${amountWords(amount)} of ${address(item.token)}`;
  const id = item.identifierOrCriteria ?? item.identifier;
  const which = kind !== null && kind >= 4n ? 'any token' : `token ${String(id)}`;
  return `${which} of the collection ${address(item.token)}`;
}

/** Orders of 0x for one token of a collection: sold or bought, as its direction says. */
function readNftOrder(notes: ReadingNotes, m: Fields): boolean {
  const collection = m.erc721Token ?? m.erc1155Token;
  if (collection === undefined || m.erc20Token === undefined) return false;
  const token = `token ${String(m.erc721TokenId ?? m.erc1155TokenId)} of the collection ${address(collection)}`;
  const amount = readNumber(m.erc20TokenAmount);
  const price = `${amountWords(amount)} of ${address(m.erc20Token)}`;
  if (readNumber(m.direction) === 0n) {
    notes.out(`${token} is offered for sale.`);
    if (amount === 0n) notes.stop('It sells for nothing: its price is zero.');
    else notes.arrives(`${price} comes for it.`);
  } else {
    notes.out(`${price} is offered.`);
    notes.arrives(`${token} comes for it.`);
  }
  about(notes, m.taker);
  return true;
}

/** Orders of exchanges that name what is sold and what is bought, or one collection and its price. */
function readTokenOrder(notes: ReadingNotes, m: Fields): boolean {
  const sold = m.sellToken ?? m.makerToken ?? m.makerAsset ?? m.collection;
  if (sold === undefined && m.offerer === undefined && m.trader === undefined && m.maker === undefined)
    return false;
  if (
    m.sellToken === undefined &&
    m.makerToken === undefined &&
    m.makerAsset === undefined &&
    m.price === undefined &&
    m.basePrice === undefined
  )
    return false;
  const [gives, gets] = [
    m.sellAmount ?? m.makerAmount ?? m.makingAmount,
    m.buyAmount ?? m.takerAmount ?? m.takingAmount ?? m.price ?? m.basePrice,
  ];
  const token = typeof sold === 'string' ? address(sold) : 'an asset';
  notes.out(
    `${gives === undefined ? `Token ${String(m.tokenId ?? '')}` : amountWords(readNumber(gives))} of ${token} is offered for sale.`,
  );
  if (gets !== undefined && readNumber(gets) === 0n) notes.stop('It sells for nothing: its price is zero.');
  else
    notes.arrives(
      `${amountWords(readNumber(gets))} of ${address(m.buyToken ?? m.takerToken ?? m.takerAsset ?? m.paymentToken)} comes for it.`,
    );
  if (m.receiver !== undefined) about(notes, m.receiver);
  return true;
}

/** A call that somebody else sends in the signer's name: a Safe's transaction, a forwarder's request (ERC-2771). */
function readForwarded(notes: ReadingNotes, m: Fields): boolean {
  const to = readAddress(m.to);
  if (to === null || (m.data === undefined && m.value === undefined)) return false;
  if ((readNumber(m.operation) ?? 0n) !== 0n)
    notes.stop(`It lets the code of ${to} act as the account (delegatecall).`);
  const value = readNumber(m.value) ?? 0n;
  if (value > 0n) notes.out(`${value} wei goes to ${to}.`);
  readCalldata(notes, to, readData(m.data));
  about(notes, to);
  return true;
}

function about(notes: ReadingNotes, value: unknown): void {
  const found = readAddress(value);
  if (found !== null) notes.about(found);
}
