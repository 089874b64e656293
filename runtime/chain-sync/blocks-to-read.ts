/** Read again each time: a reorganisation may have put other events into blocks that were read. */
const AGAIN = 16n;

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
  // A chain that is shorter than what was read is another chain: from its start.
  if (read === null || read > head) return start;
  const from = read - AGAIN - more;
  return from > start ? from : start;
}
