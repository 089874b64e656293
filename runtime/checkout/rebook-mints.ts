import { keccak } from '../../agents/canonical.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { findByPayment, mintPurpose } from '../../chain/clients/agents.ts';
import type { AgentRow } from '../../store/agent/agents.ts';
import { type MovedMint, mintedSince, moveMints } from '../../store/agent/mints.ts';
import { insertRecord } from '../../store/records/records.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';
import { correctedPurchaseRecord } from './purchase-record.ts';

/** No reorg reaches further back than this. */
const BACK_MS = 24 * 3_600_000;
const MOST = 500;

/**
 * Reads the newest mints again after a reorg. Each is found by its payment's reference, with the token id, account and
 * transaction that it has now, and a new record replaces one that names others. Mints that the signer rebroadcasts by
 * itself are waited for.
 * @param stood what was seen to stand since the reorg, as it is booked: it is not read again, and more is added
 * @returns how many mints have not come back yet
 * @throws ReaderError, ChainError
 */
export async function rebookMints(services: Services, stood: Set<string>): Promise<number> {
  const { db, home, log } = services;
  const booked = await mintedSince(db, new Date(services.now().getTime() - BACK_MS), MOST);
  const agents = booked.filter((agent) => !stood.has(named(agent)));
  const byHandle = new Map(agents.map((agent) => [agent.handle, agent]));
  const round = await eachIsolated(
    services.quarantine,
    'mint',
    agents.map(({ handle }) => ({ id: handle })),
    async ({ id }) => {
      const agent = byHandle.get(id)!;
      const seen = await lookAgain(services, agent);
      if (seen === null) stood.add(named(agent));
      return seen;
    },
    { alive: () => home.readers.viem.head(), atOnce: 1, relisted: true },
  );
  const gone = round.done.filter((seen) => seen === 'gone').length;
  const moved = round.done.flatMap((seen) => (seen === 'gone' || seen === null ? [] : [seen]));
  // Mints may have swapped token ids with each other, or taken that of one that cannot be read now. In the second case
  // they have to wait for it.
  const move = async (): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      await moveMints(trx, moved);
      for (const { record } of moved) if (record) await insertRecord(trx, record);
    });
    log.warn({ handles: moved.map((m) => m.handle) }, 'mints stand elsewhere since the chain went back');
  };
  const moves = moved.length > 0 ? [{ id: 'moved' }] : [];
  const written = await eachIsolated(services.quarantine, 'moved-mints', moves, move, { relisted: true });
  return gone + round.open + written.open;
}

function named({ handle, token_id: tokenId, account, mint_tx: tx }: AgentRow): string {
  return `mint ${handle} ${tokenId} ${account} ${tx}`;
}

type Moved = MovedMint & { readonly record: Awaited<ReturnType<typeof correctedPurchaseRecord>> };

/** @returns the mint's present place and its record; null when it is as booked. @throws ReaderError */
async function lookAgain(services: Services, agent: AgentRow): Promise<Moved | 'gone' | null> {
  const { home, log } = services;
  const { handle, checkout_id: checkoutId } = agent;
  const payment = keccak(checkoutId);
  const found = await findByPayment(home.readers.viem, home.deployment, payment);
  if (found === null || found === 'taken') {
    if (!(await home.minter.underWay(mintPurpose(payment))))
      log.error({ handle, tx: agent.mint_tx }, 'a reorg removed a mint for good: a person must look');
    return 'gone';
  }
  const now = { tokenId: found.tokenId, account: lowerAddress(found.account), tx: found.tx };
  const same = now.tokenId === agent.token_id && now.account === agent.account && now.tx === agent.mint_tx;
  if (same) return null;
  return { handle, ...now, record: await correctedPurchaseRecord(services, checkoutId, now) };
}
