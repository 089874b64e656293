/** A table of the lexicon: `kind` or `kind value` to phrases, parted by commas. */
export type WordTable = Readonly<Record<string, string>>;
