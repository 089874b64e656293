import { existsSync, readFileSync } from 'node:fs';
import { namesOf, readHost } from '../../../agents/determinations/origin/host.ts';
import { brandOf, imitated } from '../../../agents/determinations/origin/imitation.ts';
import type { OriginEvidence } from '../../../agents/determinations/origin/origin.ts';
import { judgeOrigin } from '../../../agents/determinations/origin/origin-result.ts';
import { readPhishingDetect } from '../../../runtime/registers/list-domains.ts';
import type { BenchOptions, BenchRow } from '../row.ts';

const AT = '2026-11-20T12:00:00.000Z';
const MOST_FLAGGED = 0.005;

/** A configuration of eth-phishing-detect, which is no part of the project (its licence is none that is known). */
interface Lists {
  readonly blocked: readonly string[];
  readonly allowed: readonly string[];
  /** Those that are imitated. */
  readonly brands: readonly string[];
}

/**
 * `npm run bench origins <config.json>`: imports the names that are imitated and every second one of those that are allowed,
 * and counts how many of the others, which honest people visit, are accused; apart from those that are exceptions to what
 * the list blocks, which nothing but the exception can clear. Then how many of those that are blocked are
 * told without the list, by their names alone. Where the file is absent it says so.
 */
export async function benchOrigins({ data }: BenchOptions): Promise<BenchRow[]> {
  if (data === undefined || !existsSync(data)) {
    console.log(
      'No configuration of eth-phishing-detect is named: skipped. Give its path (src/config.json).',
    );
    return [];
  }
  const { blocked, allowed, brands } = listsIn(readFileSync(data, 'utf8'));
  const ofBlocked = new Set(blocked);
  const isException = (host: string) => namesOf(host).some((name) => ofBlocked.has(name));
  return [0, 1].flatMap((half) => {
    const imported = allowed.filter((_, i) => i % 2 === half);
    const withheld = allowed.filter((_, i) => i % 2 !== half);
    const counted = (hosts: readonly string[], known: readonly string[], list: readonly string[]) => {
      const judge = judged(new Set([...known, ...brands]), brands, new Set(list));
      const verdicts = hosts.map(judge);
      return { flagged: share(verdicts, 'FLAGGED'), open: share(verdicts, 'INCONCLUSIVE') };
    };
    const honest = counted(
      withheld.filter((host) => !isException(host)),
      imported,
      blocked,
    );
    const exceptions = withheld.filter(isException);
    const bad = counted(blocked, imported, []);
    const of = `half ${half + 1} imported`;
    return [
      {
        name: `${of}: ${withheld.length - exceptions.length} allowed names withheld`,
        measured: `FLAGGED ${percent(honest.flagged)}, INCONCLUSIVE ${percent(honest.open)}`,
        goal: `FLAGGED at most ${percent(MOST_FLAGGED)}`,
        ok: honest.flagged <= MOST_FLAGGED,
      },
      {
        name: `${of}: ${exceptions.length} withheld that the list blocks itself, or a name above them`,
        measured: `FLAGGED ${percent(counted(exceptions, imported, blocked).flagged)}`,
      },
      {
        name: `${of}: ${blocked.length} blocked names, their list withheld`,
        measured: `FLAGGED ${percent(bad.flagged)}, INCONCLUSIVE ${percent(bad.open)}`,
      },
    ];
  });
}

function listsIn(text: string): Lists {
  const keys = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);
  const known = readPhishingDetect(text, 'known-domains').rows;
  const isBrand = (row: (typeof known)[number]) => !('imitated' in row.detail);
  return {
    blocked: keys(readPhishingDetect(text, 'phishing-domains').rows),
    allowed: keys(known.filter((row) => !isBrand(row))),
    brands: keys(known.filter(isBrand)),
  };
}

function judged(known: ReadonlySet<string>, brands: readonly string[], blocked: ReadonlySet<string>) {
  const prepared = brands.map(brandOf);
  return (given: string): string => {
    const { host } = readHost(given);
    const names = namesOf(host);
    const hits = names.filter((name) => blocked.has(name)).map((key) => ({ key, list: 'blocked' }));
    const evidence: OriginEvidence = {
      given,
      phishing: {
        ...{ register: 'phishing-domains', maxAgeDays: 30, lookedUp: names, hits },
        lists: [{ name: 'phishing-domains/one', asOf: AT, rows: 10_000 }],
      },
      known: {
        maxAgeDays: 365,
        lists: [{ name: 'known-domains/one', asOf: AT, rows: known.size }],
        match: names.find((name) => known.has(name)) ?? null,
        near: imitated(host, prepared),
      },
    };
    return judgeOrigin(evidence, AT).verdict;
  };
}

const share = (verdicts: readonly string[], wanted: string): number =>
  verdicts.filter((v) => v === wanted).length / Math.max(1, verdicts.length);
const percent = (of: number): string => `${(100 * of).toFixed(2)} %`;
