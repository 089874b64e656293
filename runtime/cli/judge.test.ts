import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { DeterminationEvidence, RecordEvidence } from '../../agents/determinations/panel/types.ts';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { goodsCommand } from './goods.ts';
import { judgeCommand } from './judge.ts';

const FOLDER = new URL('../../test/fixtures/evidence/', import.meta.url);
const DOCUMENT = readFileSync(new URL('../../docs/verdicts.md', import.meta.url), 'utf8');
const [plain] = (
  JSON.parse(readFileSync(new URL('wallet-1-plain-2-of-2.json', FOLDER), 'utf8')) as {
    evidence: RecordEvidence;
  }
).evidence.determinations as [DeterminationEvidence];

interface Line {
  readonly id: unknown;
  readonly verdict?: string;
  readonly confidence?: number;
  readonly checks?: readonly { readonly id: string }[];
  readonly votes?: readonly { readonly seat: string; readonly vote: string }[];
  readonly error?: { readonly field: string; readonly message: string };
}

async function judged(args: readonly string[], ...lines: readonly unknown[]): Promise<Line[]> {
  const out: string[] = [];
  const text = lines.map((l) => (typeof l === 'string' ? l : JSON.stringify(l))).join('\n');
  const streams = { input: Readable.from([text]), write: (line: string) => out.push(line) };
  await judgeCommand(streams).parseAsync([...args], { from: 'user' });
  return out.map((line) => JSON.parse(line) as Line);
}

afterEach(() => {
  process.exitCode = 0;
});

/** The example that follows each mark in the document, with the command and the verdict that the mark names. */
const examples = [...DOCUMENT.matchAll(/<!-- judge (\S+): (\S+) (\d+) -->\s+```json\n([\s\S]*?)```/g)].map(
  ([, determination = '', verdict = '', confidence = '', json = '']) =>
    [determination, verdict, Number(confidence), json] as const,
);

describe('judging evidence from a file', () => {
  it('has documented forms, of which each example gives the verdict that stands beside it', async () => {
    expect(examples.map(([determination]) => determination)).toEqual(['wallet', 'pledge', 'shill', 'price']);
    for (const [determination, verdict, confidence, json] of examples) {
      const [line] = await judged([determination], JSON.parse(json));
      expect([determination, line!.verdict, line!.confidence]).toEqual([determination, verdict, confidence]);
    }
  });

  it('takes a record, its evidence, or one determination of it, and gives the same verdict for each', async () => {
    const evidence: RecordEvidence = { kind: 'wallet', determinations: [plain] };
    const lines = await judged(
      ['wallet'],
      { id: 'a', evidence },
      { recordId: 'rec_1', record: {}, hash: '0x', evidence },
      { id: 7, evidence: plain },
      plain,
    );
    expect(lines.map((l) => [l.id, l.verdict])).toEqual([
      ['a', 'CLEAN'],
      ['rec_1', 'CLEAN'],
      [7, 'CLEAN'],
      ['wallet', 'CLEAN'],
    ]);
  });

  it('judges at the depth that is asked for, and never calls an empty seat CLEAN', async () => {
    const [deep] = await judged(['wallet', '--depth', 'superconsensus'], { id: 1, evidence: plain });
    expect([deep!.verdict, deep!.votes!.length]).toEqual(['CLEAN', 5]);
    const alone = { ...plain, seats: plain.seats.slice(0, 1) };
    const [one, two] = await Promise.all([
      judged(['wallet', '--depth', '1-of-1'], { id: 1, evidence: alone }),
      judged(['wallet', '--depth', '2-of-2'], { id: 1, evidence: alone }),
    ]);
    expect([one[0]!.verdict, two[0]!.verdict]).toEqual(['CLEAN', 'INCONCLUSIVE']);
  });

  /** The evidence with another value in one place; undefined takes the field away. */
  const changed = (path: string, value: unknown): unknown => {
    const copy = JSON.parse(JSON.stringify(plain)) as Record<string, unknown>;
    const parts = path.split('.');
    const holder = parts.slice(0, -1).reduce((at, part) => at[part] as Record<string, unknown>, copy);
    holder[parts.at(-1)!] = value;
    return { id: 'bad', evidence: copy };
  };
  const wrong: readonly (readonly [field: string, line: unknown])[] = [
    ['line', 'not JSON'],
    ['line', '[]'],
    ...(
      [
        ['common.sanctions.hits', undefined],
        ['common.exposur', {}],
        ['common.chains', []],
        ['common.sanctions.lists.0.asOf', 'new'],
        ['seats.0.facts.chains.0.nonce', '5'],
        ['at', 'today'],
        ['depth', '3-of-3'],
        ['id', 'provenance'],
      ] as const
    ).map(([path, value]) => [path, changed(path, value)] as const),
  ];
  it.each(wrong)('names the field of a line that is wrong, and gives no verdict: %s', async (field, line) => {
    const [told] = await judged(['wallet'], line);
    expect([told!.error?.field, told!.verdict, process.exitCode]).toEqual([field, undefined, 1]);
  });

  it('goes on behind a line that is wrong', async () => {
    const lines = await judged(['wallet'], '{', '', { id: 'good', evidence: plain });
    expect(lines.map((l) => l.verdict ?? l.error?.field)).toEqual(['line', 'CLEAN']);
  });

  it('gives CLEAN for nothing from which any field was taken', async () => {
    const common = plain.common as WalletCommon & Record<string, unknown>;
    const without = (o: object, key: string): object =>
      Object.fromEntries(Object.entries(o).filter(([name]) => name !== key));
    const evidence = plain as DeterminationEvidence & Record<string, unknown>;
    const lines = await judged(
      ['wallet'],
      ...Object.keys(evidence)
        .filter((key) => key !== 'latencyMs')
        .map((key) => ({ id: key, evidence: without(evidence, key) })),
      ...Object.keys(common).map((key) => ({
        id: `common.${key}`,
        evidence: { ...plain, common: without(common, key) },
      })),
    );
    expect(lines.filter((l) => l.verdict === 'CLEAN')).toEqual([]);
  });
});

describe('plain forms', () => {
  const lot = (n: number, bidders: readonly string[], winner: string | null) => ({
    ...{ lot: `lot-${n}`, category: 'digital-products', winner },
    endedAt: `2026-11-${String(n + 1).padStart(2, '0')}T12:00:00Z`,
    bids: bidders.map((bidder, i) => ({
      bidder,
      at: `2026-11-${String(n + 1).padStart(2, '0')}T11:${String(10 + i)}:00Z`,
    })),
  });
  it('of bids flag the seller who bids on their own lot, and name a winner who never bid', async () => {
    const lots = Array.from({ length: 12 }, (_, n) => lot(n, [`b${n}`, `c${n}`], `c${n}`));
    const [fair, own, odd] = await judged(
      ['shill'],
      { id: 1, seller: 'alice', lots },
      { id: 2, seller: 'alice', lots: [lot(0, ['alice', 'bob'], 'bob'), ...lots.slice(1)] },
      { id: 3, seller: 'alice', lots: [lot(0, ['bob'], 'carol')] },
    );
    expect([fair!.verdict, own!.verdict, odd!.error?.field]).toEqual(['CLEAN', 'FLAGGED', 'lots.0.winner']);
  });

  it('of prices tell near from far, and refuse a category that nobody trades in', async () => {
    const sale = (n: number) => ({ priceUsd: 100 + n, soldAt: `2026-11-${10 + n}`, brand: 'Acme' });
    const ask = (id: string, priceUsd: number, category = 'digital-products', brand = 'ACME') => ({
      ...{ id, priceUsd, subject: { category, brand } },
      comparables: Array.from({ length: 12 }, (_, n) => sale(n)),
    });
    const lines = await judged(
      ['price', '--depth', 'superconsensus'],
      ask('near', 105),
      ask('far', 900),
      ask('other', 105, 'cars'),
    );
    expect(lines.map((l) => l.verdict ?? l.error?.field)).toEqual(['CLEAN', 'FLAGGED', 'subject.category']);
  });
});

describe('keys of goods', () => {
  it('are given by spelling and kind, or refused with the reason', async () => {
    const out: string[] = [];
    const input = Readable.from(
      ['{"serial":"1hgcm-82633 a004352"}', '{"serial":"1"}', 'x', '{"serial":"HELLO","kind":"vin"}'].join(
        '\n',
      ),
    );
    const write = (line: string) => out.push(line);
    await goodsCommand({ input, write }).parseAsync(['key'], { from: 'user' });
    const [vin, short, broken, unknown] = out.map((line) => JSON.parse(line));
    expect(vin).toEqual({ key: 'serial:vin:1HGCM82633A004352', kind: 'vin' });
    expect([short.refused, broken.refused, unknown.refused]).toEqual([
      expect.stringContaining('3 to 64'),
      expect.stringContaining('JSON object'),
      expect.stringContaining('kind'),
    ]);
  });
});
