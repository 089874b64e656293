import type { CodeLookUp } from '../../agents/determinations/wallet/code/code-lookup.ts';
import { type Database, run, type Statement } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';

/** keccak-256 of no bytes: what EXTCODEHASH tells of an account without code. */
export const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** The code that an address had in a block. Lower case. */
export interface CodeReading {
  readonly chainId: number;
  readonly address: string;
  readonly hash: string;
  readonly skeleton: string | null;
  readonly block: bigint;
}

/** Other codes that these addresses had when they were read. */
const BEFORE = `
    select 'eip155:' || r.chain_id as chain, r.address, r.hash, r.first_block::text as "from", r.last_block::text as "to"
    from unnest($1::bigint[], $2::text[], $3::text[]) as asked (chain_id, address, hash)
    join code_readings r using (chain_id, address)
    where r.hash is distinct from asked.hash and r.hash <> '${NO_CODE}'
    order by r.chain_id, r.address, r.last_block, r.hash`;

/** How many other contracts have these skeletons, at most some thousand of each, and which of them a list names. */
const ALIKE = `
    with same as (
      select wanted.skeleton, r.chain_id, r.address
      from unnest($4::text[]) as wanted (skeleton) cross join lateral (
        (select chain_id, address from code_readings where skeleton = wanted.skeleton limit 1000)
        union
        (select chain_id, contract from contract_creations where skeleton = wanted.skeleton limit 1000)
      ) r where r.address <> all($2)
    )
    select skeleton, count(distinct address)::int as others,
      coalesce((select jsonb_agg(distinct jsonb_build_object('chain', 'eip155:' || l.chain_id, 'key', e.key,
          'list', e.register || '/' || e.source))
        from same l join register_entries e on e.key = l.address and e.register in ('sanctions', 'known-scam')
        where l.skeleton = same.skeleton), '[]'::jsonb) as listed
    from same group by skeleton order by skeleton`;

/** What imported lists say of codes, by their hashes and skeletons. */
const ENTRIES = `
    select key, register || '/' || source as list, coalesce(detail->>'name', '') as name,
      coalesce(detail->>'source', '') as source
    from register_entries where register in ('listed-code', 'known-code') and key = any($5)
    order by key, register, register_entries.source`;

/** What is kept of the codes that these addresses have now. */
const KEPT = `
    select r.chain_id::int as "chainId", r.address, r.hash, r.skeleton, r.first_block::text as "from", r.last_block::text as "to"
    from unnest($1::bigint[], $2::text[], $3::text[]) as asked (chain_id, address, hash)
    join code_readings r using (chain_id, address, hash)`;

const LOOK_UP = plannedForAny(
  {
    name: 'look-up-codes',
    text: `
      select
        (select coalesce(jsonb_agg(to_jsonb(b)), '[]') from (${BEFORE}) b) as before,
        (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from (${ALIKE}) a) as alike,
        (select coalesce(jsonb_agg(to_jsonb(e)), '[]') from (${ENTRIES}) e) as entries,
        (select coalesce(jsonb_agg(to_jsonb(k)), '[]') from (${KEPT}) k) as kept`,
  },
  ['bigint[]', 'text[]', 'text[]', 'text[]', 'text[]'],
);

/** A code that is kept, with the first and the last block in which it was read. */
type KeptCode = Omit<CodeReading, 'block'> & { readonly from: string; readonly to: string };

/**
 * What is known of codes: what stood at these addresses before, who else has them but for their constants, and what
 * imported lists say of them; and which of them are kept. One statement, at one moment.
 * @param asked each address with its code of now: the hash null where it has none
 */
export async function lookUpCodes(
  db: Database,
  asked: readonly (Omit<CodeReading, 'hash' | 'block'> & { readonly hash: string | null })[],
): Promise<CodeLookUp & { readonly kept: readonly KeptCode[] }> {
  if (asked.length === 0) return { before: [], alike: [], entries: [], kept: [] };
  const skeletons = distinct(asked.map((a) => a.skeleton));
  const keys = distinct([...asked.map((a) => a.hash), ...skeletons]);
  const [chains, addresses] = [asked.map((a) => a.chainId), asked.map((a) => a.address)];
  const values = [chains, addresses, asked.map((a) => a.hash), skeletons, keys];
  const [found] = await run<CodeLookUp & { kept: KeptCode[] }>(db, LOOK_UP, values);
  return found!;
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((v) => v !== null))].sort();
}

/** A code counts as read up to its last block; what was read so shortly after it is not written again. */
const NOTED_BLOCKS = 100;

/** Whether a reading tells nothing that is not kept. */
export function isNoted(kept: readonly KeptCode[], read: CodeReading): boolean {
  return kept.some(
    ({ chainId, address, hash, skeleton, from, to }) =>
      chainId === read.chainId &&
      address === read.address &&
      hash === read.hash &&
      skeleton === read.skeleton &&
      read.block >= BigInt(from) &&
      read.block <= BigInt(to) + BigInt(NOTED_BLOCKS),
  );
}

const KEEP: Statement = {
  name: 'keep-codes',
  text: `
    insert into code_readings (chain_id, address, hash, skeleton, first_block, last_block)
    select *, block from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      as read (chain_id, address, hash, skeleton, block)
    where not exists (select from code_readings k
      where k.chain_id = read.chain_id and k.address = read.address and k.hash = read.hash
        and k.skeleton is not distinct from read.skeleton
        and read.block between k.first_block and k.last_block + ${NOTED_BLOCKS})
    order by 1, 2, 3
    on conflict (chain_id, address, hash) do update set
      first_block = least(code_readings.first_block, excluded.first_block),
      last_block = greatest(code_readings.last_block, excluded.last_block),
      skeleton = excluded.skeleton
    where excluded.last_block not between code_readings.first_block and code_readings.last_block`,
};

/**
 * Keeps the codes that were read. One that is known already only counts for longer, and is written again no sooner than
 * after some blocks: everybody reads the codes that all accounts share, and would wait for one another.
 */
export async function keepCodes(db: Database, read: readonly CodeReading[]): Promise<void> {
  if (read.length === 0) return;
  await run(db, KEEP, [
    read.map((r) => r.chainId),
    read.map((r) => r.address),
    read.map((r) => r.hash),
    read.map((r) => r.skeleton),
    read.map((r) => r.block),
  ]);
}

const UNREAD: Statement = {
  name: 'find-listed-unread',
  text: `
    select distinct key from register_entries e
    where register in ('sanctions', 'known-scam') and key like '0x%' and length(key) = 42
      and not exists (select from code_readings r where r.chain_id = $1 and r.address = e.key)
    order by key limit $2`,
};

/** Listed addresses whose code was never read on a chain. */
export async function listedUnread(db: Database, chainId: number, most: number): Promise<string[]> {
  return (await run<{ key: string }>(db, UNREAD, [chainId, most])).map(({ key }) => key);
}
