/** A table of the lexicon: from `kind` or `kind value` to its phrases, separated by commas. */
export type WordTable = Readonly<Record<string, string>>;
