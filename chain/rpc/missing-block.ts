/** True for the many wordings by which nodes say that they lack a block or its state. */
export function saysBlockMissing(message: string): boolean {
  return /BlockOutOfRange|block (?:\S+ )?not found|block .{0,80}does not exist|unknown block|header not found|missing trie node|state .*not available|no state (?:found|available)|historical state|could not be found|prun(?:ed|ing)|resource not found|not (?:currently )?canonical|header for hash not found|unknown hash|world state (?:is )?(?:not|un)available/i.test(
    message,
  );
}
