import type { Flows, Poisoned, TransferHistory } from '../../../../agents/determinations/wallet/flows.ts';
import { alikeAlone } from '../../../../agents/determinations/wallet/look-alike.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import type { Hex } from '../../../../chain/rpc/reader.ts';
import { type AlikeRow, alikePartiesOf, emptyTransfers } from '../../../../store/chain-sync/dusted.ts';
import type { FlowRow } from '../../../../store/chain-sync/flows.ts';
import type { EvidenceDeps } from '../../deps.ts';
import type { TransferPlan } from './plan.ts';

/** How many of those who got nothing but dust are looked at, the latest first, and how many transfers of each. */
const MOST_DUSTED = 200;
const MOST_THEIRS = 300;
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
  const asked = dusted.slice(0, MOST_DUSTED);
  const more = dusted.length - asked.length;
  const ask = { chainId: plan.chainId, until: plan.historyTo!, dust: own.dust };
  const alike = (await alikePartiesOf(deps.db, { ...ask, who, of: asked, most: MOST_THEIRS })).filter(
    (row) => tokens.has(row.token) && BigInt(row.since) < begun(rows, row.of),
  );
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
