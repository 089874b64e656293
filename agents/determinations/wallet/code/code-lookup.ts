/** What is known of the codes that were read about an address, besides what they are. Lower case. */
export interface CodeLookUp {
  /** Other codes that the same addresses had when this service read them before, by block. */
  readonly before: readonly {
    readonly chain: string;
    readonly address: string;
    /** keccak-256 of that code. */
    readonly hash: string;
    /** The first and the last block in which it was read. */
    readonly from: string;
    readonly to: string;
  }[];
  /** Contracts with the same skeleton as one of the codes, on whatever chain: how many others, and who of them is listed. */
  readonly alike: readonly {
    readonly skeleton: string;
    readonly others: number;
    readonly listed: readonly { readonly chain: string; readonly key: string; readonly list: string }[];
  }[];
  /** What imported lists say of the codes themselves; the key is a code's hash or a skeleton. */
  readonly entries: readonly {
    readonly key: string;
    /** `listed-code/…` or `known-code/…`. */
    readonly list: string;
    readonly name: string;
    /** Who publishes what it says, such as a URL. */
    readonly source: string;
  }[];
}
