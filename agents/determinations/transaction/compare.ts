import type { Asset, AssetChange, Effects } from './transaction-evidence.ts';

/** How much more of an asset may leave under other conditions, as prices and interest move. */
const MORE = { of: 20n, by: 1n };

/**
 * What happens under other conditions that the preview does not show, against one party. A gain that is missing counts
 * where something leaves.
 * @param aside whom a change of conditions itself pays, such as the author of a block
 */
export function worseThan(
  preview: Effects,
  other: Effects,
  party: string,
  aside: readonly string[] = [],
): string[] {
  const [shown, found] = [netOf(preview.changes, party), netOf(other.changes, party)];
  const lost = [...found].filter(([, { delta }]) => delta < 0n);
  const more = lost.flatMap(([key, { asset, delta }]) => {
    const before = -(shown.get(key)?.delta ?? 0n);
    if (before <= 0n) return [`${-delta} of ${nameOf(asset)} leave`];
    return -delta * MORE.of > before * (MORE.of + MORE.by)
      ? [`${-delta} of ${nameOf(asset)} leave, not ${before}`]
      : [];
  });
  const missing = [...shown].flatMap(([key, { asset, delta }]) => {
    const now = found.get(key)?.delta ?? 0n;
    return delta > 0n && lost.length > 0 && now * 2n < delta
      ? [`${now} of ${nameOf(asset)} come, not ${delta}`]
      : [];
  });
  const known = new Set(gainers(preview, shown, party));
  const strangers = gainers(other, found, party).filter((who) => !known.has(who) && !aside.includes(who));
  const powers = new Set(preview.approvals.map(approvalKey));
  const given = other.approvals.filter(
    (a) => a.owner === party && a.amount !== '0' && !powers.has(approvalKey(a)),
  );
  const owners = new Set(preview.owners.map((o) => `${o.contract} ${o.event} ${o.to}`));
  const changed = other.owners.filter((o) => !owners.has(`${o.contract} ${o.event} ${o.to}`));
  return [
    ...more,
    ...missing,
    ...(more.length === 0 && strangers.length > 0 ? [`what leaves goes to ${strangers.join(', ')}`] : []),
    ...given.map((a) => `${a.spender} is given power over ${a.token}`),
    ...changed.map((o) => `${o.event} of ${o.contract}`),
  ];
}

const approvalKey = (a: Effects['approvals'][number]): string => `${a.owner} ${a.spender} ${a.token}`;

export function nameOf({ kind, token, tokenId, symbol }: Asset): string {
  if (kind === 'native') return 'the native currency';
  const id = tokenId === null ? '' : ` ${tokenId}`;
  return symbol === null ? `${token}${id}` : `${symbol} (${token}${id})`;
}

type Net = ReadonlyMap<string, { readonly asset: Asset; readonly delta: bigint }>;

const keyOf = ({ kind, token, tokenId }: Asset): string => `${kind} ${token} ${tokenId}`;

/** Gains and losses of one party, by asset. */
export function netOf(changes: readonly AssetChange[], party: string): Net {
  const own = changes.filter((c) => c.party === party);
  return new Map(own.map(({ asset, delta }) => [keyOf(asset), { asset, delta: BigInt(delta) }]));
}

/** Who else gains of what the party loses. */
function gainers({ changes }: Effects, net: Net, party: string): string[] {
  const lost = new Set([...net].filter(([, { delta }]) => delta < 0n).map(([key]) => key));
  const others = changes.filter((c) => c.party !== party && BigInt(c.delta) > 0n);
  return [...new Set(others.filter((c) => lost.has(keyOf(c.asset))).map((c) => c.party))];
}

/** Who gains of each asset that the party loses. */
export function recipientsOf(changes: readonly AssetChange[], party: string): string[] {
  return gainers({ changes, approvals: [], owners: [] }, netOf(changes, party), party);
}
