import { type Database, run, type Statement, type Trx } from '../database.ts';

/**
 * An order's number below this is a person's: it goes on in hexadecimal, where an agent's own has an `s`
 * (`agents/agent/order-id.ts`).
 */
const BY_A_PERSON_BELOW = 'ord_s';

/** An agent and its beneficial owner, lower case. */
export interface OwnedAgent {
  readonly handle: string;
  readonly owner: string;
}

/** An agent that is asked about. */
export interface AskedAgent extends OwnedAgent {
  /** A word given later says nothing of what the agent did; when left out, a word at any time counts. */
  readonly by?: Date;
}

// A resumption is signed as it is asked for, and where the chain knows of no pause nothing else is signed.
// Whoever stops what somebody else has minted for him, by a pause or for good, takes nothing over by that. The session of a
// checkout is the payment's id (`network:payer:nonce`) after a prefix.
const GIVEN: Statement = {
  name: 'owners-words',
  text: `
    select exists (select from owner_acts a
        where a.handle = p.handle and a.beneficial_owner = p.owner
          and (a.kind = 'resume' or (a.kind in ('mandate', 'rotate') and a.status in ('signed', 'done'))) and (p.by is null or a.created_at <= p.by))
      or exists (select from orders o where o.handle = p.handle and o.owner = p.owner and o.order_id < $3
        and (p.by is null or o.created_at <= p.by))
      or exists (select from agents g join checkouts c on c.id = g.checkout_id
        where g.handle = p.handle and c.pay = 'usdc'
          and p.owner = any(string_to_array(lower(c.processor_session), ':'))) as given
    from unnest($1::text[], $2::text[], $4::timestamptz[]) with ordinality as p(handle, owner, by, n) order by n`,
};

/**
 * For each of these agents, in their order, whether its owner has given a word for it: signed a mandate or a key of it, had
 * it go on after a pause, signed an order by it, or paid for it from the very wallet. Anybody has an agent minted for any
 * wallet, and by a card nobody signs.
 */
export async function ownersWords(
  db: Database | Trx,
  agents: readonly AskedAgent[],
): Promise<readonly boolean[]> {
  if (agents.length === 0) return [];
  const [handles, owners] = [agents.map(({ handle }) => handle), agents.map(({ owner }) => owner)];
  const times = agents.map(({ by = null }) => by);
  const rows = await run<{ given: boolean }>(db, GIVEN, [handles, owners, BY_A_PERSON_BELOW, times]);
  return rows.map(({ given }) => given);
}

/** Which of these agents their owner has given a word for. */
export async function withOwnersWord(
  db: Database | Trx,
  owner: string,
  handles: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(handles)];
  const given = await ownersWords(
    db,
    asked.map((handle) => ({ handle, owner })),
  );
  return new Set(asked.filter((_, n) => given[n]));
}
