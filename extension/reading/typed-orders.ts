import type { Hex } from '../../agents/canonical.ts';
import { type Fields, fieldsOf, listOf } from './declared.ts';
import { aboutIn, type ReadingNotes } from './reading.ts';
import { address, amountWords, readAddress, readNumber } from './values.ts';

/** What a thing is worth nobody here knows: an order that pays too little looks like any other. */
function priceUnknown(notes: ReadingNotes): void {
  notes.unchecked('Whether the price is fair was not looked at.');
}

/** @returns whether it sells for nothing, as far as can be read */
function stopUnpriced(notes: ReadingNotes, price: bigint | null): boolean {
  if (price === null) notes.stop('It may sell for nothing: its price cannot be read.');
  else if (price === 0n) notes.stop('It sells for nothing: its price is zero.');
  return price === null || price === 0n;
}

/** Seaport's orders, alone or many in one tree: what is offered goes, what is considered arrives. */
export function readOrder(notes: ReadingNotes, m: Fields): boolean {
  const orders = ordersIn(m);
  for (const order of orders) {
    const offerer = readAddress(order.offerer);
    const isOwn = (item: Fields) => offerer !== null && readAddress(item.recipient) === offerer;
    let arrives = false;
    for (const item of listOf(order.offer).map(fieldsOf))
      notes.out(`${itemWords(item, amountsOf(item).most)} is offered for sale.`);
    for (const item of listOf(order.consideration).map(fieldsOf)) {
      const { least, most } = amountsOf(item);
      if (isOwn(item) && least !== null && least > 0n) {
        arrives = true;
        notes.arrives(`${itemWords(item, least)} comes for it.`);
      } else if (!isOwn(item)) {
        notes.out(`${itemWords(item, most)} of the price goes to ${address(item.recipient)}.`);
        aboutIn(notes, item.recipient);
      }
    }
    if (listOf(order.offer).length > 0 && !arrives)
      notes.stop('It sells for nothing: no part of the price comes to you.');
  }
  if (orders.length > 0) priceUnknown(notes);
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

/** Amounts that go from one to another while the order stands; null where either cannot be read. */
function amountsOf(item: Fields): { readonly least: bigint | null; readonly most: bigint | null } {
  const start = readNumber(item.startAmount ?? item.amount);
  const end = item.endAmount === undefined ? start : readNumber(item.endAmount);
  if (start === null || end === null) return { least: null, most: null };
  return start < end ? { least: start, most: end } : { least: end, most: start };
}

function itemWords(item: Fields, amount: bigint | null): string {
  const kind = readNumber(item.itemType);
  if (kind === null) return `Something of ${address(item.token)} that cannot be read`;
  if (kind === 0n) return `${amount} wei`;
  if (kind === 1n) return `${amountWords(amount)} of ${address(item.token)}`;
  const id = item.identifierOrCriteria ?? item.identifier;
  const which = kind >= 4n ? 'any token' : `token ${String(id)}`;
  return `${which} of the collection ${address(item.token)}`;
}

/** Orders of 0x for one token of a collection: sold or bought, as its direction says. */
export function readNftOrder(notes: ReadingNotes, m: Fields): boolean {
  const collection = m.erc721Token ?? m.erc1155Token;
  if (collection === undefined || m.erc20Token === undefined) return false;
  const token = `token ${String(m.erc721TokenId ?? m.erc1155TokenId)} of the collection ${address(collection)}`;
  const amount = readNumber(m.erc20TokenAmount);
  const price = `${amountWords(amount)} of ${address(m.erc20Token)}`;
  const direction = readNumber(m.direction);
  if (direction === 1n) {
    notes.out(`${price} is offered.`);
    notes.arrives(`${token} comes for it.`);
  } else {
    notes.out(`${token} is offered for sale.`);
    if (direction !== 0n) notes.stop('Whether it sells or buys cannot be read.');
    else if (!stopUnpriced(notes, amount)) notes.arrives(`${price} comes for it.`);
  }
  aboutIn(notes, m.taker);
  priceUnknown(notes);
  return true;
}

/** Orders of exchanges that name what is sold and what is bought, or one collection and its price. */
export function readTokenOrder(
  notes: ReadingNotes,
  m: Fields,
  _contract: Hex | null,
  signer: Hex | null,
): boolean {
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
  const bought = `${amountWords(readNumber(gets))} of ${address(m.buyToken ?? m.takerToken ?? m.takerAsset ?? m.paymentToken)}`;
  const isPriced = gets === undefined || !stopUnpriced(notes, readNumber(gets));
  const isOwn = isForSigner(m.receiver, signer);
  if (isPriced && isOwn) notes.arrives(`${bought} comes for it.`);
  else if (isPriced) {
    notes.out(`${bought}, which comes for it, goes to ${address(m.receiver)}.`);
    notes.stop(`What comes for it goes to ${address(m.receiver)}, and not to the account that signs.`);
  }
  if (!isOwn) aboutIn(notes, m.receiver);
  priceUnknown(notes);
  return true;
}

/** Exchanges take nobody for the one who signs. */
function isForSigner(receiver: unknown, signer: Hex | null): boolean {
  if (receiver === undefined || readNumber(receiver) === 0n) return true;
  return signer !== null && readAddress(receiver) === signer;
}
