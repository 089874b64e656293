import { namesOf, readHost } from '../../../../agents/determinations/origin/host.ts';
import { type Brand, brandOf, imitated } from '../../../../agents/determinations/origin/imitation.ts';
import type { OriginEvidence } from '../../../../agents/determinations/origin/origin.ts';
import type { Database } from '../../../../store/database.ts';
import { knownDomains } from '../../../../store/registers/known-domains.ts';
import { withProofs } from './list-proofs.ts';
import { gatherRegisters } from './lists.ts';

/** More would say nothing new. */
const MOST_NEAR = 10;

/** Looks up where a request says that it comes from. @throws AppError bad-request naming `field` */
export async function gatherOrigin(db: Database, given: string, field = 'origin'): Promise<OriginEvidence> {
  const { host, kind, pretended } = readHost(given, field);
  const names = kind === 'name' ? namesOf(host) : [];
  const [[listed, known], domains] = await Promise.all([
    gatherRegisters(db, ['phishing-domains', 'known-domains'], names),
    kind === 'name' ? knownDomains(db) : [],
  ]);
  const [phishing] = await withProofs(db, [listed!]);
  const near = imitated(host, brandsOf(domains)).slice(0, MOST_NEAR);
  const match = names.find((name) => known!.hits.some((hit) => hit.key === name)) ?? null;
  // A record is public: what stands behind the host may name the asker.
  const kept = pretended === null ? host : `${encodeURIComponent(pretended)}@${host}`;
  const { maxAgeDays, lists, missing = [] } = known!;
  return {
    ...{ given: kept, phishing: phishing! },
    known: { maxAgeDays, lists, ...(missing.length === 0 ? {} : { missing }), match, near },
  };
}

const prepared = new WeakMap<readonly string[], readonly Brand[]>();

function brandsOf(names: readonly string[]): readonly Brand[] {
  const known = prepared.get(names) ?? names.map(brandOf);
  prepared.set(names, known);
  return known;
}
