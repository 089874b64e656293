import { documentHash } from '../../agents/canonical.ts';
import { MAX_AGE_DAYS } from '../../agents/determinations/provenance/register-row.ts';
import {
  type Listed,
  type ListSnapshot,
  packEntries,
  type SignedSnapshot,
  type SnapshotList,
  snapshotTypedData,
} from '../../agents/registers/list-snapshot.ts';
import type { Database } from '../../store/database.ts';
import { allLists } from '../../store/registers/register-fetches.ts';
import { keysOf } from '../../store/registers/registers.ts';
import type { Services } from '../services.ts';

/** The registers of what nobody should deal with, and what they name. */
const HOLDS: Readonly<Record<string, Listed>> = {
  sanctions: 'addresses',
  'known-scam': 'addresses',
  'phishing-domains': 'hosts',
};
/** A snapshot is made anew when a list changed, or when this old. */
const REMADE_MS = 3_600_000;
/** Afterwards its silence says nothing. */
const LIFETIME_MS = 86_400_000;

type Deps = Pick<Services, 'db' | 'now' | 'signLists' | 'recordSigner'>;

/** Gives the signed lists, made once for all who ask until a list changes. Who asks at once waits for one making. */
export function snapshotMaker({ db, now, signLists, recordSigner }: Deps): () => Promise<SignedSnapshot> {
  let held: { readonly of: string; readonly at: number; readonly made: Promise<SignedSnapshot> } | null =
    null;
  return async () => {
    const lists = (await allLists(db)).filter(({ register }) => HOLDS[register] !== undefined);
    const of = JSON.stringify(lists);
    const at = now().getTime();
    if (held === null || held.of !== of || at - held.at > REMADE_MS) {
      const made = makeSnapshot(db, lists, at).then(async (snapshot) => ({
        snapshot,
        hash: documentHash(snapshot),
        signature: { signer: recordSigner, value: await signLists(snapshotTypedData(snapshot)) },
      }));
      const next = { of, at, made };
      held = next;
      made.catch(() => {
        if (held === next) held = null;
      });
    }
    return await held.made;
  };
}

type Held = Awaited<ReturnType<typeof allLists>>[number];

async function makeSnapshot(db: Database, lists: readonly Held[], at: number): Promise<ListSnapshot> {
  const packed: SnapshotList[] = [];
  for (const { register, source, asOf, basis, rows, minimum, synthetic } of lists) {
    const keys = await keysOf(db, register, source);
    packed.push({
      list: `${register}/${source}`,
      holds: HOLDS[register]!,
      // A fragment, and a list that nobody dates, only add what they name.
      asOf: basis === null || rows < minimum ? null : asOf.toISOString(),
      maxAgeDays: MAX_AGE_DAYS[register],
      ...{ rows: keys.length, synthetic, entries: packEntries(keys) },
    });
  }
  return {
    version: 1,
    issuedAt: new Date(at).toISOString(),
    expiresAt: new Date(at + LIFETIME_MS).toISOString(),
    lists: packed.sort((a, b) => (a.list < b.list ? -1 : 1)),
  };
}
