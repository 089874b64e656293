import { encodeAbiParameters, keccak256, sha256, toBytes } from 'viem';
import { canonicalJson } from '../../agents/canonical.ts';

/**
 * Finds hashes of secrets. A hash hides nothing that can be guessed: if everything in a body is known but the floor,
 * there are only a few thousand possible bodies. Comparing two sides does not show this, because their hashes always
 * differ.
 */
export class Hashes {
  readonly #of = new Map<string, string>();

  /** A request body; if it contains a floor or a limit, its hash must not be public. */
  sent(body: string): void {
    if (!/"(?:floorUsd|limitUsd)"/.test(body)) return;
    this.#add(body, `the body ${body}`);
    this.#add(canonicalJson(JSON.parse(body)), `the body ${body}, in one spelling`);
  }

  /** A secret amount, in micro-dollars. */
  amount(micro: bigint): void {
    const usd = Number(micro) / 1e6;
    for (const spelling of new Set([String(micro), String(usd), usd.toFixed(2)]))
      this.#add(spelling, `the amount ${spelling}`);
    const word = encodeAbiParameters([{ type: 'uint256' }], [micro]);
    this.#of.set(keccak256(word).slice(2), `the amount ${micro} as a word`);
    this.#of.set(sha256(word).slice(2), `the amount ${micro} as a word`);
  }

  /** The secret whose hash occurs in a text; null when none does. */
  foundIn(text: string): string | null {
    for (const [found] of text.toLowerCase().matchAll(/(?<![0-9a-f])(?:0x)?[0-9a-f]{64,}/g)) {
      const digits = found.replace(/^0x/, '');
      // In a longer run of digits each word may be a hash, as in calldata, which has words after a selector of four
      // bytes.
      for (let at = digits.length % 64; at < digits.length; at += 64) {
        const of = this.#of.get(digits.slice(at, at + 64));
        if (of !== undefined) return of;
      }
    }
    return null;
  }

  #add(text: string, what: string): void {
    for (const hash of [sha256, keccak256]) this.#of.set(hash(toBytes(text)).slice(2), what);
  }
}
