import { codeText, quoted } from '../signed-text.ts';

/** A lot as texts for signing name it. */
export interface LotNamed {
  /** The asset key. */
  readonly key: string;
  /** The seller's own words; null when nothing is listed under the key. */
  readonly description: string | null;
}

/** `'Fjord at Dusk' (eip155:1002/erc721:0x…/17)`. */
export function lotWords({ key, description }: LotNamed): string {
  return description === null ? codeText(key) : `${quoted(description)} (${codeText(key)})`;
}

/** A name of the name market, in quotes; letters of other scripts are shown as code points. */
export function nameWords(name: string): string {
  return `'${codeText(name, 100)}'`;
}
