import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What is packed: the public record with the answer that tells it, or what was read to judge. */
export type Packing = 'record' | 'evidence';

const FOLDER = new URL('./dictionaries/', import.meta.url);
/** Written at the head of what is packed now. What earlier versions packed stays readable by their dictionaries. */
const VERSION = 1;
/** How far back deflate refers (RFC 1951): the dictionary and a slice must lie within it. */
const WINDOW = 32_768;
const LEVEL = 5;
const LENGTH_BYTES = 2;
/** Stands where the version of a dictionary does: packed by another text. No dictionary has this number. */
export const BESIDE = 2;
const DIGEST_BYTES = 8;
/** Of a text that is packed by another. What lies around it there is as far as deflate sees. */
const SLICE_BESIDE = 12_288;
const LEVEL_BESIDE = 9;

const dictionaries = new Map<string, Buffer>();

/** @throws Error (ENOENT) for a version that this release does not know */
function dictionaryOf(packing: Packing, version: number): Buffer {
  const name = `${packing}.${version}.txt`;
  const known = dictionaries.get(name) ?? readFileSync(new URL(name, FOLDER));
  dictionaries.set(name, known);
  return known;
}

/**
 * Packs a text by a dictionary of what texts of its kind say: a byte for the version of the dictionary, then slices, each
 * deflated by itself (RFC 1951) behind its length. Records repeat the same sentences, so that this takes about a
 * fourteenth of the text, where deflate alone takes a seventh.
 */
export function packText(text: string, packing: Packing): Buffer {
  const dictionary = dictionaryOf(packing, VERSION);
  const bytes = Buffer.from(text);
  const size = WINDOW - dictionary.length;
  const parts: Buffer[] = [Buffer.of(VERSION)];
  for (let at = 0; at < bytes.length; at += size)
    parts.push(...slice(deflateRawSync(bytes.subarray(at, at + size), { level: LEVEL, dictionary })));
  return Buffer.concat(parts);
}

/** Another text, by which one that says nearly the same is packed, and the id by which it is found again. */
export interface OtherText {
  readonly id: string;
  readonly text: string;
}

/**
 * Packs a text by another one that says nearly the same in nearly the same order: a byte that says so, which other one, a
 * digest of it, then slices as {@link packText} makes them, each by what stands around its place in the other. This takes
 * a fourth of what packing it alone takes. It can be read only with that very text.
 */
export function packBeside(text: string, other: OtherText): Buffer {
  const bytes = Buffer.from(text);
  const others = Buffer.from(other.text);
  const id = Buffer.from(other.id);
  const parts: Buffer[] = [Buffer.of(BESIDE, id.length), id, digestOf(others)];
  for (let at = 0; at < bytes.length; at += SLICE_BESIDE) {
    const dictionary = around(others, at);
    const end = at + SLICE_BESIDE;
    parts.push(...slice(deflateRawSync(bytes.subarray(at, end), { level: LEVEL_BESIDE, dictionary })));
  }
  return Buffer.concat(parts);
}

/** The id of the text without which this one cannot be read; null where it was packed alone. */
export function besideWhich(kept: Buffer): string | null {
  if (kept[0] !== BESIDE) return null;
  return kept.subarray(2, 2 + kept.readUInt8(1)).toString();
}

/**
 * @param other the text of what {@link besideWhich} names; null where it names none
 * @throws Error when it was not packed by {@link packText} or {@link packBeside}, is damaged, or was packed by another
 *   text than this one
 */
export function unpackText(kept: Buffer, packing: Packing, other: string | null = null): string {
  if (kept[0] !== BESIDE) {
    const dictionary = dictionaryOf(packing, kept.readUInt8(0));
    return inflated(kept, 1, () => dictionary);
  }
  if (other === null) throw new Error('what it was packed by is not there');
  const others = Buffer.from(other);
  const digest = 2 + kept.readUInt8(1);
  const start = digest + DIGEST_BYTES;
  if (!kept.subarray(digest, start).equals(digestOf(others)))
    throw new Error('it was packed by another text');
  return inflated(kept, start, (at) => around(others, at));
}

/** The slices from a place on, each by the dictionary for its place in the text. */
function inflated(kept: Buffer, from: number, dictionaryAt: (at: number) => Buffer): string {
  const slices: Buffer[] = [];
  let length = 0;
  for (let at = from; at < kept.length; ) {
    const start = at + LENGTH_BYTES;
    const end = start + kept.readUInt16BE(at);
    if (end > kept.length) throw new Error('it is cut short');
    const part = inflateRawSync(kept.subarray(start, end), { dictionary: dictionaryAt(length) });
    slices.push(part);
    length += part.length;
    at = end;
  }
  return Buffer.concat(slices).toString();
}

function slice(packed: Buffer): [length: Buffer, packed: Buffer] {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(packed.length);
  return [length, packed];
}

/** What of another text a slice is packed by that begins at `at`. */
function around(other: Buffer, at: number): Buffer {
  const room = WINDOW - SLICE_BESIDE;
  const from = Math.max(0, Math.min(other.length - room, at - (room - SLICE_BESIDE) / 2));
  return other.subarray(from, from + room);
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, DIGEST_BYTES);
}
