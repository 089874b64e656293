import { keccak } from '../../agents/canonical.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { findByPayment, mintPurpose } from '../../chain/agents.ts';
import { type MovedMint, mintedSince, moveMints } from '../../store/mints.ts';
import { insertRecord } from '../../store/records.ts';
import { correctedPurchaseRecord } from '../purchase-record.ts';
import type { Services } from '../services.ts';

/** No chain takes back more than that. */
const BACK_MS = 24 * 3_600_000;
const MOST = 500;

/**
 * Reads the newest mints again after the chain went back: by what was paid for each, it is found with the number,
 * account and transaction it has now, and a new record takes the place of one that names others. What the signer sends
 * again by itself is waited for.
 * @returns how many mints are still to come back
 * @throws ReaderError, ChainError
 */
export async function rebookMints(services: Services): Promise<number> {
  const { db, home, log } = services;
  const agents = await mintedSince(db, new Date(services.now().getTime() - BACK_MS), MOST);
  const moved: (MovedMint & { checkoutId: string })[] = [];
  let open = 0;
  for (const agent of agents) {
    const { handle, checkout_id: checkoutId } = agent;
    const payment = keccak(checkoutId);
    const found = await findByPayment(home.readers.viem, home.deployment, payment);
    if (found === null) {
      open += 1;
      if (!(await home.operator.underWay(mintPurpose(payment))))
        log.error({ handle, tx: agent.mint_tx }, 'the chain took a mint back for good: a person must look');
      continue;
    }
    const now = { tokenId: found.tokenId, account: lowerAddress(found.account), tx: found.tx };
    const same = now.tokenId === agent.token_id && now.account === agent.account && now.tx === agent.mint_tx;
    if (!same) moved.push({ handle, checkoutId, ...now });
  }
  if (moved.length === 0) return open;
  const records = await Promise.all(moved.map((m) => correctedPurchaseRecord(services, m.checkoutId, m)));
  await db.transaction().execute(async (trx) => {
    await moveMints(trx, moved);
    for (const record of records) if (record) await insertRecord(trx, record);
  });
  log.warn({ handles: moved.map((m) => m.handle) }, 'mints stand elsewhere since the chain went back');
  return open;
}
