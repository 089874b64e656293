import type { Address } from 'viem';

/** The address in a topic or a word of a log's data, in lower case. Whether the word is one of an address is not looked at. */
export function addressInWord(word: string | undefined): Address {
  return `0x${(word ?? '').slice(-40).toLowerCase()}`;
}
