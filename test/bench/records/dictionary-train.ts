import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { BESIDE, type Packing } from '../../../store/records/packed-text.ts';

/**
 * `npm run train:packing -- <version> < records.jsonl`: writes the dictionaries by which records are packed, from records
 * as `GET /records/{id}` gives them, a line each. What was packed by an earlier version needs its dictionaries for good:
 * a new one gets a new number.
 */

/** Room is left beside a dictionary for slices of the text: both must lie within the 32 kB of deflate. */
const MOST: Readonly<Record<Packing, number>> = { record: 20_000, evidence: 10_000 };
/** What no two records have alike: addresses, hashes, times, long numbers, ids, and handles made of them. */
const OWN =
  /(?:127\.0\.0\.1|localhost):\d+|0x[0-9a-f]{6,}|\d{4}-\d\d-\d\dT[\d:.]+Z|[a-z]+[-_][0-9a-f]{6,}|[0-9a-f]{16,}|\d{5,}/gi;
const LEAST = 4;

const [version] = process.argv.slice(2);
if (!/^\d+$/.test(version ?? ''))
  throw new Error('say which version of the dictionaries is written, such as 3');
if (Number(version) === BESIDE) throw new Error(`${version} says that a text is packed by another one`);

const texts: Record<Packing, string[]> = { record: [], evidence: [] };
for await (const line of createInterface({ input: process.stdin })) {
  const { record, evidence } = JSON.parse(line);
  texts.record.push(JSON.stringify(record));
  if (evidence) texts.evidence.push(JSON.stringify(evidence));
}
for (const packing of Object.keys(texts) as Packing[]) {
  const file = new URL(`../../../store/records/dictionaries/${packing}.${version}.txt`, import.meta.url);
  const dictionary = commonParts(texts[packing]).slice(-MOST[packing]);
  writeFileSync(file, dictionary);
  console.log(`${packing}: ${dictionary.length} characters of ${texts[packing].length} texts`);
}

/** The parts that texts have, each once, in the order of the texts, without what is one record's own. */
function commonParts(all: readonly string[]): string {
  const parts = new Set<string>();
  for (const text of all)
    for (const part of text.split(/(?<=[{}[\],])(?=[{"[])/)) {
      const common = part.replaceAll(OWN, '');
      if (common.length >= LEAST) parts.add(common);
    }
  // Not beyond ASCII: a dictionary is measured in bytes.
  return [...parts].join('').replaceAll(/[^\x20-\x7e]/g, '');
}
