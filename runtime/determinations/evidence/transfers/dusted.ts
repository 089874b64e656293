import { alikeAlone } from '../../../../agents/determinations/wallet/look-alike/look-alike.ts';
import type {
  Flows,
  Poisoned,
  TransferHistory,
} from '../../../../agents/determinations/wallet/money/flows.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import type { Hex } from '../../../../chain/rpc/reader.ts';
import {
  type AlikeRow,
  addressesLike,
  alikePartiesOf,
  dealingsOf,
  emptyTransfers,
  fewestInEarnest,
} from '../../../../store/chain-sync/dusted.ts';
import type { FlowRow } from '../../../../store/chain-sync/flows.ts';
import type { EvidenceDeps } from '../../deps.ts';
import type { TransferPlan } from './plan.ts';

/** Of how many of those who got nothing but dust, the latest first, so many transfers each are looked at. */
const MOST_DUSTED = 200;
const MOST_THEIRS = 300;
/**
 * Of all others it is looked at who is like the address, out of so many that begin alike, and at so many transfers in
 * earnest of all these together, of those with the fewest first: anybody can send nothing to any number of addresses in its
 * name, and a dollar to any number of made-up ones that are like it, and no number of either costs more.
 */
const MOST_BEGINNING_ALIKE = 50_000;
const MOST_OF_ALIKE = 100_000;
/** Of each of them so many of whatever it moved, and of so many who moved more, the newest in earnest. */
const MOST_NEWEST = 2_000;
const MOST_BUSY = 50;
/** Of transfers of nothing: for how many it is asked who sent them. */
const MOST_ASKED = 5;

interface Own {
  readonly plan: TransferPlan;
  /** Lower case. */
  readonly who: string;
  readonly rows: readonly FlowRow[];
  readonly flows: readonly Flows[];
  /** Less than this is dust. */
  readonly dust: { readonly native: bigint; readonly token: bigint };
}

/**
 * Those to whom the address sent dust and with whom it dealt in nothing more: with whom they dealt in earnest before, and
 * who of these looks like it. What others sent to it, or whom they paid afterwards, is none of its doing.
 */
export async function dustedBy(
  deps: EvidenceDeps,
  own: Own,
): Promise<Pick<TransferHistory, 'poisoned' | 'moreDusted'>> {
  const { plan, who, rows } = own;
  const tokens = new Set<string | null>([null, ...plan.tokens.map((t) => t.token.toLowerCase())]);
  const dusted = dustedOf(own, tokens);
  const [latest, others] = [dusted.slice(0, MOST_DUSTED), dusted.slice(MOST_DUSTED)];
  const ask = { chainId: plan.chainId, until: plan.historyTo!, dust: own.dust };
  const [near, far] = await Promise.all([
    alikePartiesOf(deps.db, { ...ask, who, of: latest, most: MOST_THEIRS }),
    alikeTo(deps, own, others),
  ]);
  const alike = [...near, ...far.rows].filter(
    (row) => tokens.has(row.token) && BigInt(row.since) < begun(rows, row.of),
  );
  const found = dusted.filter((of) => alike.some((row) => row.of === of));
  const asked = found.slice(0, MOST_DUSTED);
  const more = (far.whole ? 0 : others.length) + found.length - asked.length;
  const poisoned = await Promise.all(
    asked.map(async (of): Promise<Poisoned[]> => {
      const addresses = drawnAlike(who, alike, of);
      if (addresses.length === 0) return [];
      const unproven = isEmpty(rows, of) && !(await sentItself(deps, own, of));
      return [{ of, addresses, ...(unproven ? { unproven: true } : {}) }];
    }),
  );
  return { poisoned: poisoned.flat(), ...(more > 0 ? { moreDusted: more } : {}) };
}

/** The same told by those who are like the address: with whom of these they dealt, and whether all of that was seen. */
async function alikeTo(
  { db }: EvidenceDeps,
  { plan, who, dust }: Own,
  of: readonly string[],
): Promise<{ readonly rows: readonly AlikeRow[]; readonly whole: boolean }> {
  if (of.length === 0) return { rows: [], whole: true };
  const found = await addressesLike(db, { chainId: plan.chainId, who, most: MOST_BEGINNING_ALIKE });
  if (found === null) return { rows: [], whole: false };
  const { addresses } = alikeAlone(who, { days: 0, addresses: found });
  const ask = { chainId: plan.chainId, until: plan.historyTo!, of, dust };
  const { few, others } = await fewestInEarnest(db, { ...ask, of: addresses, most: MOST_OF_ALIKE });
  const newest = Math.min(MOST_NEWEST, Math.ceil(MOST_OF_ALIKE / Math.max(few.length, 1)));
  const rows = await Promise.all([
    dealingsOf(db, { ...ask, alike: few, most: MOST_OF_ALIKE, newest }),
    dealingsOf(db, { ...ask, alike: others.slice(0, MOST_BUSY), most: MOST_NEWEST, newest: MOST_NEWEST }),
  ]);
  return { rows: rows.flat(), whole: others.length === 0 };
}

/**
 * Those who got nothing but dust of it, the latest first; who got nothing at all comes behind, because anybody can send that
 * in its name.
 */
function dustedOf({ who, rows, flows, dust }: Own, tokens: ReadonlySet<string | null>): string[] {
  const isDust = (p: Flows['parties'][number]) =>
    BigInt(p.usd) < dust.token && BigInt(p.native) < dust.native;
  const earnest = new Set(flows.flatMap((f) => f.parties.filter((p) => !isDust(p)).map((p) => p.address)));
  const latest = new Map<string, { readonly something: boolean; readonly at: number }>();
  for (const { way, party, token, amount, last } of rows) {
    if (way !== 'out' || party === who || party === NOBODY || earnest.has(party) || !tokens.has(token))
      continue;
    const before = latest.get(party);
    const something = BigInt(amount) > 0n || before?.something === true;
    latest.set(party, { something, at: Math.max(last.getTime(), before?.at ?? 0) });
  }
  return [...latest]
    .sort(([a, one], [b, other]) => {
      if (one.something !== other.something) return one.something ? -1 : 1;
      return other.at - one.at || (a < b ? -1 : 1);
    })
    .map(([party]) => party);
}

const sentTo = (rows: readonly FlowRow[], of: string): FlowRow[] =>
  rows.filter((row) => row.way === 'out' && row.party === of);

/** The block in which its dust began. */
function begun(rows: readonly FlowRow[], of: string): bigint {
  const blocks = sentTo(rows, of).map(({ since }) => BigInt(since));
  return blocks.sort((a, b) => (a < b ? -1 : 1))[0]!;
}

function drawnAlike(who: string, alike: readonly AlikeRow[], of: string): string[] {
  const theirs = alike.filter((row) => row.of === of).map((row) => row.party);
  return [...new Set(alikeAlone(who, { days: 0, addresses: theirs }).addresses)].sort();
}

function isEmpty(rows: readonly FlowRow[], of: string): boolean {
  return sentTo(rows, of).every((row) => BigInt(row.amount) === 0n);
}

/**
 * Whether one of its transfers of nothing was in a transaction of its own, as both nodes tell: a token lets anybody move
 * nothing in anybody's name.
 */
async function sentItself({ db, readers }: EvidenceDeps, { plan, who }: Own, to: string): Promise<boolean> {
  const { viem, ethers } = readers.get(plan.chainId)!;
  const ask = { chainId: plan.chainId, until: plan.historyTo! };
  const txs = await emptyTransfers(db, { ...ask, from: who, to, most: MOST_ASKED });
  const sent = await Promise.all(
    txs.map(async (tx) => {
      const told = await Promise.all([viem.receipt(tx as Hex), ethers.receipt(tx as Hex)]);
      return told.every((receipt) => receipt?.from === who);
    }),
  );
  return sent.includes(true);
}
