import { isAddressEqual } from 'viem';
import { lowerAddress } from '../../agents/ids.ts';
import { findByPayment, type MintedAgent, mintPurpose } from '../../chain/clients/agents.ts';
import { isMissedFor, type Missed } from '../../chain/indexer/missed.ts';
import type { AgentRow } from '../../store/agent/agents.ts';
import { type MovedMint, mintedBetween, moveMints } from '../../store/agent/mints.ts';
import { type CheckoutRow, findCheckout } from '../../store/checkout/checkouts.ts';
import { UnreadableRow } from '../../store/parsed.ts';
import { fileInPlace, recordsOf, retractRecord } from '../../store/records/record-status.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';
import { orderedAgent, orderedKey } from './mint-agent.ts';
import { correctedPurchaseRecord, purchaseOf } from './purchase-record.ts';

/** No reorg reaches further back than this. */
const BACK_MS = 24 * 3_600_000;
const MOST = 500;

/** What was seen of booked mints since the chain last went back, each as it is booked. */
export interface SeenMints {
  /** What stands, or is settled otherwise: it is not read again, and more is added. */
  readonly stood: Set<string>;
  readonly missed: Missed;
}

/**
 * Reads booked mints again, as after a reorg. Each is found by its payment's reference, with the token id, account and
 * transaction that it has now, and a new record replaces one that names others. Mints that the signer rebroadcasts by
 * itself are waited for. The record of one that does not come back is retracted.
 * @param booked when those that are read were booked; left out: within the last day
 * @returns how many mints have not come back yet
 * @throws ReaderError, ChainError
 */
export async function rebookMints(
  services: Services,
  seen: SeenMints,
  booked?: { readonly from: Date; readonly to: Date },
): Promise<number> {
  const { db, home, log } = services;
  const now = services.now().getTime();
  const { from, to } = booked ?? { from: new Date(now - BACK_MS), to: null };
  const agents = (await mintedBetween(db, from, to, MOST)).filter((agent) => !seen.stood.has(named(agent)));
  const byHandle = new Map(agents.map((agent) => [agent.handle, agent]));
  const round = await eachIsolated(
    services.quarantine,
    'mint',
    agents.map(({ handle }) => ({ id: handle })),
    async ({ id }) => {
      const agent = byHandle.get(id)!;
      const found = await lookAgain(services, agent, seen.missed);
      if (found === null) seen.stood.add(named(agent));
      return found;
    },
    { alive: () => home.readers.viem.head(), atOnce: 1, relisted: true },
  );
  const gone = round.done.filter((found) => found === 'gone').length;
  const moved = round.done.flatMap((found) => (found === 'gone' || found === null ? [] : [found]));
  // Mints may have swapped token ids with each other, or taken that of one that cannot be read now. In the second case
  // they have to wait for it.
  const move = async (): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      // The agents are locked by it: a record that was filed meanwhile is seen from here on, and none is filed until this
      // ends.
      await moveMints(trx, moved);
      for (const { handle, record } of moved) {
        const why = 'The chain went back, and the agent was minted elsewhere';
        if (record !== null) await fileInPlace(trx, purchaseOf(handle), record, why);
        else if ((await recordsOf(trx, purchaseOf(handle))).length > 0)
          throw new Error(`the record of ${handle} was filed while its mint was booked anew`);
      }
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

/**
 * @returns the mint's present place and its record; null when nothing is left to do: it is as booked, or its record was
 *   taken back
 * @throws ReaderError
 */
async function lookAgain(
  services: Services,
  agent: AgentRow,
  missed: Missed,
): Promise<Moved | 'gone' | null> {
  const { db, home } = services;
  const { handle, checkout_id: checkoutId } = agent;
  const checkout = await findCheckout(db, checkoutId);
  if (checkout === null) throw new UnreadableRow(`the agent ${handle} has no checkout ${checkoutId}`);
  const found = await findByPayment(home.readers.viem, home.deployment, orderedAgent(checkout));
  if (!isOwn(services, agent, checkout, found)) return await miss(services, agent, checkout, missed);
  const now = { tokenId: found.tokenId, account: lowerAddress(found.account), tx: found.tx };
  if (now.tokenId === agent.token_id && now.account === agent.account && now.tx === agent.mint_tx)
    return null;
  return { handle, ...now, record: await correctedPurchaseRecord(services, agent, now) };
}

/** Whether a mint is the service's own: by the transaction that is booked, or by the session key of the checkout. */
function isOwn(
  services: Services,
  agent: AgentRow,
  checkout: CheckoutRow,
  found: Awaited<ReturnType<typeof findByPayment>>,
): found is MintedAgent {
  if (found === null || found === 'taken') return false;
  // One transaction grants one key, which may be of a seed that is not held any more.
  return found.tx === agent.mint_tx || isAddressEqual(found.key, orderedKey(services, checkout));
}

/**
 * What becomes of a mint that is not there, or not as it was ordered. Where it cannot come any more, as both nodes tell
 * after as many blocks as a record rests on, its records are taken back.
 */
async function miss(
  services: Services,
  agent: AgentRow,
  checkout: CheckoutRow,
  missed: Missed,
): Promise<'gone' | null> {
  const { db, home, log, config } = services;
  const { handle, mint_tx: tx } = agent;
  const order = orderedAgent(checkout);
  const { number: head } = await home.readers.viem.head();
  if (!isMissedFor(missed, named(agent), head, config.confirmations)) return 'gone';
  if (await home.minter.underWay(mintPurpose(order.paymentRef), config.confirmations)) return 'gone';
  // A node that is behind, or lies, says wrongly what stands.
  const other = await findByPayment(home.readers.ethers, home.deployment, order);
  if (isOwn(services, agent, checkout, other)) return 'gone';
  log.error({ handle, tx }, 'a reorg removed a mint for good: a person must look');
  const filed = await recordsOf(db, purchaseOf(handle));
  for (const id of filed)
    await retractRecord(db, id, 'The chain took the mint back, and the agent was not minted again.');
  // A record that is not filed yet is waited for.
  return filed.length > 0 ? null : 'gone';
}
