import type { MandateRow } from '../agent/agents.ts';
import type { OwnerSettings } from '../agent/settings.ts';
import { type Database, run, type Statement } from '../database.ts';
import { parsed } from '../parsed.ts';

/** Whose a lot is, and what the owner of the agent that would order it chose, as far as is known who that is. */
export interface LotParties {
  /** Null: no such agent. */
  readonly sellerOwner: string | null;
  /** The mandate in force of the agent that would order; null when none is in force or no agent is meant. */
  readonly mandate: Pick<MandateRow, 'version' | 'structured'> | null;
  readonly settings: OwnerSettings;
}

const PARTIES: Statement = {
  name: 'lot-parties',
  text: `
    select seller.owner as seller_owner, m.version, m.structured, s.on_flagged, s.on_inconclusive
    from (select) one
    left join agents seller on seller.handle = $1
    left join mandates m on m.handle = $2 and m.status = 'active'
    left join owner_settings s on s.wallet = $3 and s.beneficial_owner = coalesce(
      (select b.beneficial_owner from beneficial_owners b where b.owner = $3), $3)`,
};

/**
 * Reads them in one statement.
 * @param by the agent that would order, with its owner's wallet in lower case; null when no agent is meant
 */
export async function readLotParties(
  db: Database,
  seller: string,
  by: { readonly handle: string; readonly wallet: string } | null,
): Promise<LotParties> {
  const [row] = await run<{
    seller_owner: string | null;
    version: number | null;
    structured: MandateRow['structured'];
    on_flagged: OwnerSettings['onFlagged'];
    on_inconclusive: OwnerSettings['onInconclusive'];
  }>(db, PARTIES, [seller, by?.handle ?? null, by?.wallet ?? null]);
  const { seller_owner: sellerOwner, version, structured, on_flagged, on_inconclusive } = row!;
  return {
    sellerOwner,
    mandate: version === null ? null : parsed('mandates', { version, structured }),
    settings: { onFlagged: on_flagged, onInconclusive: on_inconclusive },
  };
}
