/** Read again each time: a reorganisation may have put other events into blocks that were read. */
const AGAIN = 16n;

/**
 * A node that is behind, as one of several behind one address, or a reorganisation to a shorter chain makes the chain end
 * this far below what was read, and no further.
 */
const BEHIND = 256n;

/**
 * From where a round that follows the chain reads on.
 * @param at.read up to where it has read; null: nothing yet
 * @param at.start the block of the deployment, before which there is nothing
 * @param more how many blocks are read again beside the usual ones
 */
export function firstBlockToRead(
  { read, head, start }: { read: bigint | null; head: bigint; start: bigint },
  more = 0n,
): bigint {
  // A chain that is far shorter than what was read is another chain: from its start.
  if (read === null || read > head + BEHIND) return start;
  // Where it ends a little before, its last blocks may be others than those that were read.
  const from = (read < head ? read : head) - AGAIN - more;
  return from > start ? from : start;
}
