import { aboutEach, keysWith, runBatched } from '../batched-keys.ts';
import { type Database, run, type Statement } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';
import { IN_EARNEST, looks } from './looks.ts';

/**
 * What moved between an address and one other in one token, over those of its transfers that were looked at. Lower case. A
 * transfer of nothing, which anybody can send in anybody's name, is no more than a row where nothing else moved.
 */
export interface FlowRow {
  readonly who: string;
  readonly way: 'in' | 'out';
  readonly party: string;
  /** Null for the native currency. */
  readonly token: string | null;
  readonly amount: string;
  readonly transfers: number;
  readonly last: Date;
  /** The block of the oldest one. */
  readonly since: string;
  /** How many of the newest in earnest, and of the newest whatever they moved, these are. */
  readonly earnest: number;
  readonly newest: number;
}

const SUMS = `
    select asked.who, moved.way, moved.party, moved.token,
      coalesce(sum(moved.amount) filter (where moved.counts), 0)::text as amount,
      (count(*) filter (where moved.counts and moved.amount > 0))::int as transfers,
      coalesce(max(moved.at) filter (where moved.amount > 0), max(moved.at)) as last, min(moved.block)::text as since,
      (count(*) filter (where moved.earnest))::int as earnest,
      (count(*) filter (where not moved.earnest))::int as newest
    from unnest($2::text[]) as asked (who) cross join lateral (
      ${looks('in')}
      union all
      ${looks('out')}
    ) moved
    group by 1, 2, 3, 4`;
const SUMS_ASK = ['bigint', 'text[]', 'bigint', 'bigint'];
const FLOWS = plannedForAny({ name: 'sum-up-flows', text: SUMS }, SUMS_ASK);

/**
 * Sums up what each of these addresses received and paid until a block: each way over at most `most` transfers in
 * earnest, and over whatever else is among its newest `most`.
 */
export async function sumFlows(
  db: Database,
  chainId: number,
  addresses: readonly string[],
  until: bigint,
  most: number,
): Promise<FlowRow[]> {
  return addresses.length === 0 ? [] : await run<FlowRow>(db, FLOWS, [chainId, addresses, until, most]);
}

/** What the index holds of an address on one chain, read at one moment. */
export interface OwnTransfers {
  readonly flows: readonly FlowRow[];
  /** Who first sent it more than dust, whatever else came before; null when nobody did. */
  readonly first: { readonly address: string; readonly tx: string; readonly block: string } | null;
  /** Up to where the index reaches now; null: it holds nothing of the chain. */
  readonly toBlock: bigint | null;
}

const OWN = plannedForAny(
  {
    name: 'read-own-transfers',
    text: `
      select
        (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from (${SUMS}) f) as flows,
        (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from unnest($2::text[]) as asked (who) cross join lateral (
          select asked.who as to, sender as address, tx, block::text as block from transfers
          where chain_id = $1 and receiver = asked.who and block <= $3 and ${IN_EARNEST}
            and amount >= case when token is null then $5::numeric else $6::numeric end
          order by transfers.block, place limit 1) f) as first,
        (select to_block from transfer_ranges where chain_id = $1) as to_block`,
  },
  [...SUMS_ASK, 'numeric', 'numeric'],
);

/**
 * As {@link sumFlows} of one address, with who first sent it more than dust, and how far the index reaches: where that is
 * not as far as `until` any more, the chain went another way meanwhile.
 */
export async function ownTransfers(
  db: Database,
  chainId: number,
  address: string,
  asked: {
    readonly until: bigint;
    readonly most: number;
    readonly dust: { readonly native: bigint; readonly token: bigint };
  },
): Promise<OwnTransfers> {
  interface Row {
    readonly first: readonly (NonNullable<OwnTransfers['first']> & { readonly to: string })[];
    readonly flows: readonly (Omit<FlowRow, 'last'> & { readonly last: string })[];
    readonly to_block: bigint | null;
  }
  const { until, most, dust } = asked;
  const limits = [dust.native.toString(), dust.token.toString()];
  const [row] = await run<Row>(db, OWN, [chainId, keysWith(db, address), until, most, ...limits]);
  const flows = row!.flows.filter(({ who }) => who === address);
  const [first] = row!.first.flatMap(({ to, ...payer }) => (to === address ? [payer] : []));
  return {
    flows: flows.map((flow) => ({ ...flow, last: new Date(flow.last) })),
    first: first ?? null,
    toBlock: row!.to_block,
  };
}

const PAYEES = aboutEach({
  name: 'find-payees',
  // Of each chain the newest of its payments, by an index.
  text: `
    select party as address from transfer_ranges r cross join lateral (
      select receiver as party, at from transfers
      where chain_id = r.chain_id and sender = $1 and ${IN_EARNEST} order by block desc limit $2
    ) moved
    where at > $3 group by 1 order by max(at) desc, 1 limit $2`,
});

/**
 * Whom an address paid more than dust on any chain that is followed, the latest first. Who paid it is nobody whom it
 * knows: anybody can pay anybody.
 */
export async function payeesOf(
  db: Database,
  address: string,
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<string[]> {
  return (await runBatched<{ address: string }>(db, PAYEES, address, [most, since])).map((r) => r.address);
}

/** One transfer of a token. Lower case. */
export interface TokenTransfer {
  readonly block: string;
  readonly place: number;
  readonly tx: string;
  readonly sender: string;
  readonly receiver: string;
  readonly amount: string;
}

const moved = (which: string): string => `
    select block, place, tx, sender, receiver, amount from transfers
    where chain_id = $1 and token = $3 and block between $4 and $5 and ${which}`;
const told = (rows: string): string => `
    select block::text as block, place, tx, sender, receiver, amount::text as amount from (${rows}) moved
    order by block, place`;
const ASKED = ['bigint', 'text[]', 'text', 'bigint', 'bigint'];
const MOVED_BY = plannedForAny({ name: 'list-transfers-by', text: told(moved('sender = any($2)')) }, ASKED);
const MOVED_TO = plannedForAny(
  {
    name: 'list-transfers-to',
    text: told(`
      ${moved(`receiver = any($2) and ${IN_EARNEST}`)}
      union all
      ${moved(`sender = any($2) and receiver = any($2) and not (${IN_EARNEST})`)}`),
  },
  ASKED,
);

/**
 * Transfers of a token in these blocks, in the chain's order: every one from any of these addresses, or those to any of them.
 * Of these, less than is in earnest is told of what they sent one another alone: anybody can send dust to anybody, and no
 * number of it is read.
 */
export async function tokenTransfers(
  db: Database,
  { chainId, token }: { readonly chainId: number; readonly token: string },
  {
    by,
    to,
  }:
    | ({ readonly by: readonly string[] } & { to?: never })
    | ({ readonly to: readonly string[] } & { by?: never }),
  blocks: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<TokenTransfer[]> {
  const { fromBlock, toBlock } = blocks;
  const statement = by === undefined ? MOVED_TO : MOVED_BY;
  const parties = by ?? to;
  return await run<TokenTransfer>(db, statement, [chainId, parties, token, fromBlock, toBlock]);
}

const DEPLOYER = aboutEach({
  name: 'find-deployer',
  // A contract that destroyed itself may be created once more, by another transaction.
  text: `
    select deployer as address, tx, block::text as block from contract_creations
    where chain_id = $2 and contract = $1 and block <= $3 order by block desc limit 1`,
});

/** Whose transaction created a contract; null when a contract created it, or nobody knows. */
export async function findDeployer(
  db: Database,
  chainId: number,
  contract: string,
  until: bigint,
): Promise<{ address: string; tx: string; block: string } | null> {
  const rows = await runBatched<{ address: string; tx: string; block: string }>(db, DEPLOYER, contract, [
    ...[chainId, until],
  ]);
  const [found] = rows;
  return found === undefined ? null : { address: found.address, tx: found.tx, block: found.block };
}

const TWINS: Statement = {
  name: 'find-twins',
  text: `
    with same as (
      select contract from contract_creations
      where chain_id = $1 and code_hash = $2 and block <= $3 and contract <> $4 limit 1000
    )
    select (select count(*)::int from same) as others,
      coalesce((select jsonb_agg(distinct jsonb_build_object('key', e.key, 'list', e.register || '/' || e.source))
        from same join register_entries e on e.key = same.contract
          and e.register in ('sanctions', 'known-scam')), '[]'::jsonb) as listed`,
};

/** How many other contracts have this code, at most a thousand, and which of them a list names. */
export async function findTwins(
  db: Database,
  chainId: number,
  codeHash: string,
  { until, not }: { readonly until: bigint; readonly not: string },
): Promise<{ others: number; listed: { key: string; list: string }[] }> {
  const [found] = await run<{ others: number; listed: { key: string; list: string }[] }>(db, TWINS, [
    ...[chainId, codeHash, until, not],
  ]);
  return found!;
}

/** What the registers of addresses say of one of them. */
export interface AddressEntry {
  readonly register: 'sanctions' | 'known-scam' | 'labels';
  readonly key: string;
  readonly source: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of its list; null where nobody dates it. */
  readonly asOf: Date | null;
}

const ENTRIES = plannedForAny(
  {
    name: 'look-up-parties',
    text: `
      select e.register, e.key, e.source, e.detail, case when l.basis is not null then l.as_of end as "asOf"
      from unnest($1::text[]) as asked (key)
      cross join lateral (select register, key, source, detail from register_entries
        where register in ('sanctions', 'known-scam', 'labels') and register_entries.key = asked.key offset 0) e
      left join register_lists l on l.register = e.register and l.source = e.source
      order by e.key, e.register, e.source`,
  },
  ['text[]'],
);

/** Every entry about these addresses on the lists and among the labels. */
export async function entriesAbout(db: Database, keys: readonly string[]): Promise<AddressEntry[]> {
  return keys.length === 0 ? [] : await run<AddressEntry>(db, ENTRIES, [keys]);
}
