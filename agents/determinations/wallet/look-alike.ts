/** Whom the asker has dealt with, as the platform's settled deals say. */
export interface Contacts {
  readonly days: number;
  /** The latest first; where `others` stands, those alone who look like the address. */
  readonly addresses: readonly string[];
  /** Whether the asker dealt with others too, who are not told: the record does not say who asked. */
  readonly others?: boolean;
}

/** Of both ends together, and of each: what people compare when they compare addresses by eye. */
const ENDS = 7;
const EACH_END = 2;

/**
 * Those whom this address could be taken for: the same characters at both ends, and not the same address. Poisoners
 * grind such addresses and send from them, so that one is copied from a history by mistake.
 */
export function takenFor(address: string, contacts: Contacts): string[] {
  const own = bare(address);
  const others = contacts.addresses.filter((contact) => {
    const other = bare(contact);
    if (other === own || other.length !== own.length) return false;
    const head = common(own, other);
    const tail = common([...own].reverse().join(''), [...other].reverse().join(''));
    return head >= EACH_END && tail >= EACH_END && head + tail >= ENDS;
  });
  return [...new Set(others)].sort();
}

/** The same by another way: masks of both ends, from the least tail to the longest, cut out and compared. */
export function couldBeTakenFor(address: string, contacts: Contacts): number {
  const own = bare(address);
  const masks = (text: string): string[] =>
    Array.from({ length: ENDS - 2 * EACH_END + 1 }, (_, i) => {
      const tail = EACH_END + i;
      return `${text.slice(0, ENDS - tail)}…${text.slice(text.length - tail)}`;
    });
  const mine = new Set(masks(own));
  const alike = contacts.addresses
    .map(bare)
    .filter((other) => other !== own && other.length === own.length && masks(other).some((m) => mine.has(m)));
  return new Set(alike).size;
}

/**
 * What may be told of them where nobody may learn who asked: those whom either method takes the address for, and
 * whether there are others. The checks come out as over all of them.
 */
export function alikeAlone(address: string, contacts: Contacts): Contacts {
  const { days } = contacts;
  const addresses = contacts.addresses.filter((contact) => {
    const one = { days, addresses: [contact] };
    return takenFor(address, one).length > 0 || couldBeTakenFor(address, one) > 0;
  });
  return { days, addresses, others: addresses.length < contacts.addresses.length };
}

/** EVM addresses differ in nothing but digits; in Solana's the case counts. */
function bare(address: string): string {
  return /^0x/i.test(address) ? address.slice(2).toLowerCase() : address;
}

function common(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return n;
}
