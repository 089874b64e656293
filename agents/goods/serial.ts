import { heldNumber, sureKind } from './among-words.ts';
import { type Canonical, canonical, recognised } from './canonical.ts';
import type { SerialKind } from './kinds.ts';
import { unlabelled } from './labels.ts';
import { bareSerial, plainText } from './spelling.ts';

/** A serial as it is read: its one spelling, and a question where what was given leaves its kind open. */
export interface ReadSerial extends Canonical {
  readonly question: string | null;
}

const GENERIC = /^[A-Z0-9]{3,64}$/;
const MAKER = /^[A-Z0-9]{1,32}$/;
const SPELLABLE = 'must be 3 to 64 letters and digits; spaces, dots, slashes and hyphens may part them';

/**
 * Reads a serial of goods, however it is spelled, into the one spelling of its kind: scripts, look-alike letters, labels in
 * front, separators, and the two forms of a number. A maker in front of a colon, or given, belongs to a serial that no
 * standard knows. Names are not read here.
 * @param stated its kind, where it is said
 * @throws RangeError for a text that can be no serial, naming why
 */
export function readSerial(text: string, stated?: SerialKind, maker?: string): ReadSerial {
  if (text.length > 200) throw new RangeError(SPELLABLE);
  const plain = plainText(text);
  const { kind: labelled, rest } = unlabelled(plain, stated);
  const label = labelled !== null && plain.endsWith(rest) ? plain.slice(0, -rest.length).trim() : '';
  const kind = kindOf(stated, labelled);
  if (kind !== null && kind !== 'generic') {
    if (maker !== undefined)
      throw new RangeError(`a maker belongs to a generic serial, and this is of kind ${kind}`);
    return { ...canonical(kind, required(rest, label)), question: null };
  }
  const own =
    /^([A-Z0-9 .&-]+) (?:S\/N|SERIAL(?: ?(?:NO|NUMBER))?)[ .:#]+([^ .:#].*)$/.exec(rest) ??
    /^([^:]+):([^:]+)$/.exec(rest);
  const number = own?.[2] ?? rest;
  const by = maker ?? own?.[1];
  // A maker makes no other thing of a number that says by itself what it is.
  const known = by === undefined ? null : sureKind(bareSerial(number));
  const held = known === null ? heldNumber(number) : { number: known, aloneWithWords: true };
  if (held?.aloneWithWords === true) return { ...held.number, question: null };
  const beside =
    held === null
      ? null
      : `beside other digits it holds ${held.number.serial}, which has the form of a number of kind ${held.number.kind}: give the one number that is meant`;
  if (by !== undefined) return { kind: 'generic', serial: ofMaker(by, number, own?.[1]), question: beside };
  const bare = required(rest, label);
  if (beside !== null) return { kind: 'generic', serial: bare, question: beside };
  const found = recognised(bare);
  if (found === null) return { kind: 'generic', serial: bare, question: null };
  if ('kind' in found) return { ...found, question: null };
  const say = found.either.map((k) => (k === 'generic' ? 'generic with a maker' : k)).join(' or ');
  return { kind: 'generic', serial: bare, question: `${found.why}: which kind is it, ${say}?` };
}

/** @param written the maker that stands in front of the number, where one was given besides */
function ofMaker(maker: string, number: string, written: string | undefined): string {
  const name = bareSerial(plainText(maker));
  if (!MAKER.test(name)) throw new RangeError('the maker must be 1 to 32 letters and digits');
  if (sureKind(name) !== null) throw new RangeError(`${name} is a number, and no maker`);
  if (/^(?:HTTPS?|URN|TEL)$/.test(name))
    throw new RangeError('a web address is no serial: give the number alone');
  if (written !== undefined && bareSerial(written) !== name)
    throw new RangeError(`it names two makers, ${name} and ${bareSerial(written)}: give one`);
  const serial = `${name}:${required(number)}`;
  if (unlabelled(serial).kind !== null) throw new RangeError(`${name} is the name of a number, and no maker`);
  return serial;
}

/** @throws RangeError where the label says another kind than was stated */
function kindOf(stated: SerialKind | undefined, labelled: SerialKind | null): SerialKind | null {
  if (stated === undefined || stated === 'generic') return labelled ?? stated ?? null;
  const books = [stated, labelled].every((k) => k === 'isbn' || k === 'gtin');
  if (labelled === null || labelled === stated || labelled === 'generic' || books) return stated;
  throw new RangeError(`it is labelled as ${labelled}, and said to be of kind ${stated}`);
}

/** @param label what stood in front of it, and was taken off: else nobody knows what is too short */
function required(text: string, label = ''): string {
  const bare = bareSerial(text);
  if (GENERIC.test(bare)) return bare;
  throw new RangeError(
    label === ''
      ? SPELLABLE
      : `"${label}" in front was read as a label, and "${bare}" behind it ${SPELLABLE}. Where it belongs to the number, write both as one`,
  );
}
