/**
 * A transfer of more than dust to somebody else. Two indexes hold these alone, so that no number of worthless transfers
 * hides them, nor makes them slow to find. Their predicate is this very text; tokens held here keep six decimals.
 */
export const IN_EARNEST =
  'sender <> receiver and amount >= case when token is null then 500000000000000 else 1000000 end';

/**
 * The rows of `asked.who` on the chain `$1` until the block `$3`, each way found by an index: its newest `$4` in earnest,
 * and of its newest `$4` whatever they moved those that are not. A row that was found twice `counts` once.
 * @param also what else must hold of a row, in SQL
 * @param newest of how many whatever they moved, where it is another number
 */
export function looks(way: 'in' | 'out', also = 'true', newest = '$4'): string {
  const [own, party] = way === 'in' ? ['receiver', 'sender'] : ['sender', 'receiver'];
  const theirs = `from transfers where chain_id = $1 and ${own} = asked.who and block <= $3`;
  return `(select '${way}' as way, ${party} as party, token, amount, at, block, true as earnest, true as counts
        ${theirs} and ${IN_EARNEST} and ${also} order by block desc limit $4)
      union all
      (select '${way}', ${party}, token, amount, at, block, false, not (${IN_EARNEST}) from (
        select sender, receiver, token, amount, at, block, tx ${theirs} order by block desc limit ${newest}
      ) newest where ${also})`;
}
