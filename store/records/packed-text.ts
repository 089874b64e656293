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
  for (let at = 0; at < bytes.length; at += size) {
    const slice = deflateRawSync(bytes.subarray(at, at + size), { level: LEVEL, dictionary });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(slice.length);
    parts.push(length, slice);
  }
  return Buffer.concat(parts);
}

/** @throws Error when it was not packed by {@link packText}, or is damaged */
export function unpackText(kept: Buffer, packing: Packing): string {
  const dictionary = dictionaryOf(packing, kept.readUInt8(0));
  const slices: Buffer[] = [];
  for (let at = 1; at < kept.length; ) {
    const start = at + LENGTH_BYTES;
    const end = start + kept.readUInt16BE(at);
    if (end > kept.length) throw new Error('it is cut short');
    slices.push(inflateRawSync(kept.subarray(start, end), { dictionary }));
    at = end;
  }
  return Buffer.concat(slices).toString();
}
