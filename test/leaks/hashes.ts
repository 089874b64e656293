import { encodeAbiParameters, keccak256, sha256, toBytes } from 'viem';
import { canonicalJson } from '../../agents/canonical.ts';

/**
 * A hash hides nothing that can be tried: of a body, all of which is known but a floor, there are a few thousand. Two
 * sides show other hashes there as everywhere, so comparing them does not tell; this does.
 */
export class Hashes {
  readonly #of = new Map<string, string>();

  /** What was sent: where it holds a floor or a limit it is nobody else's business. */
  sent(body: string): void {
    if (!/"(?:floorUsd|limitUsd)"/.test(body)) return;
    this.#add(body, `the body ${body}`);
    this.#add(canonicalJson(JSON.parse(body)), `the body ${body}, in one spelling`);
  }

  /** An amount that nobody may learn, in micro-dollars. */
  amount(micro: bigint): void {
    const usd = Number(micro) / 1e6;
    for (const spelling of new Set([String(micro), String(usd), usd.toFixed(2)]))
      this.#add(spelling, `the amount ${spelling}`);
    const word = encodeAbiParameters([{ type: 'uint256' }], [micro]);
    this.#of.set(keccak256(word).slice(2), `the amount ${micro} as a word`);
    this.#of.set(sha256(word).slice(2), `the amount ${micro} as a word`);
  }

  /** What of this stands in a text by its hash; null where nothing does. */
  foundIn(text: string): string | null {
    for (const [found] of text.toLowerCase().matchAll(/(?<![0-9a-f])(?:0x)?[0-9a-f]{64,}/g)) {
      const digits = found.replace(/^0x/, '');
      // Of a longer run each word may be one: calldata is made of them, behind the four bytes that name the call.
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
