/** Words of which people leave out the apostrophe, and which are no other words. */
const CONTRACTED: ReadonlyMap<string, string> = new Map(
  (
    "don't doesn't didn't can't couldn't won't wouldn't shouldn't mustn't isn't aren't wasn't weren't hasn't haven't " +
    "i'm i've you're you've they're we've"
  )
    .split(' ')
    .map((word) => [word.replace("'", ''), word]),
);

/** "Dont" and "cant" as they are spelled: "don't", "can't". Any other word stays as it is. */
export function withApostrophe(word: string): string {
  return CONTRACTED.get(word) ?? word;
}
