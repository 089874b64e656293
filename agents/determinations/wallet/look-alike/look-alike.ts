/** The addresses with which the asker has settled deals on this platform, or which it paid on chain. */
export interface Contacts {
  readonly days: number;
  /** The latest first; when `others` is present, only those that look like the address. */
  readonly addresses: readonly string[];
  /** Whether the asker also dealt with others, who are left out because the record must not reveal who asked. */
  readonly others?: boolean;
  /** Transfers on chain were looked at, too. Absent where they were not. */
  readonly onChain?: true;
  /**
   * The address that is asked about is itself one of them: nobody takes it for another. Absent where it is not, where the
   * record must not tell, and in evidence of earlier releases.
   */
  readonly known?: true;
}

/**
 * How many characters must match at both ends together, and at each end. People compare the ends when they compare
 * addresses by eye.
 */
const ENDS = 7;
const EACH_END = 2;

/**
 * The contacts for which this address could be mistaken: addresses with the same characters at both ends. Attackers
 * compute such addresses and send from them, so that somebody copies one from a history by mistake (address poisoning).
 */
export function takenFor(address: string, contacts: Contacts): string[] {
  if (contacts.known === true) return [];
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

/**
 * The same by another method: it cuts every mask of both ends out of the addresses, from the shortest tail to the
 * longest, and compares the masks.
 */
export function couldBeTakenFor(address: string, contacts: Contacts): number {
  if (contacts.known === true) return 0;
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
 * What a record may keep of the contacts when it must not reveal who asked: those that either method takes for the
 * address, and whether there are others; of an address that the asker knows, none. Both checks give the same result as
 * over all contacts.
 */
export function alikeAlone(address: string, contacts: Contacts): Contacts {
  const { days, onChain, known } = contacts;
  const addresses = contacts.addresses.filter((contact) => {
    const one = { days, addresses: [contact], ...(known === undefined ? {} : { known }) };
    return takenFor(address, one).length > 0 || couldBeTakenFor(address, one) > 0;
  });
  const others = addresses.length < contacts.addresses.length;
  return { days, addresses, others, ...(onChain === undefined ? {} : { onChain }) };
}

/** EVM addresses differ only in their digits; in Solana addresses the case of a letter counts. */
function bare(address: string): string {
  return /^0x/i.test(address) ? address.slice(2).toLowerCase() : address;
}

function common(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n += 1;
  return n;
}
