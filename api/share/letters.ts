import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The characters that a share picture can show. Others are shown without their accents, or as a dot. */
export const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  ...Array.from({ length: 64 }, (_, i) => String.fromCharCode(0xc0 + i)),
  ...'…·–—‘’“”€',
].join('');

/** The size at which the letters are kept, in pixels. */
export const LETTER_PX = 56;

/** Letters as bitmaps: the cells stand one after another, each `height` rows of `widths[i]` bytes of coverage. */
interface Letters {
  readonly height: number;
  /** From the top of a cell to the baseline. */
  readonly baseline: number;
  readonly widths: readonly number[];
  /** 0 to 15 for each pixel. */
  readonly coverage: Uint8Array;
}

export interface Letter {
  readonly width: number;
  readonly height: number;
  /** How much of a pixel the letter covers, 0 to 1; 0 outside. */
  at(x: number, y: number): number;
}

let kept: { readonly letters: Letters; readonly starts: readonly number[] } | undefined;

/** How a character looks at `LETTER_PX`. */
export function letter(character: string): Letter {
  kept ??= load();
  const { letters, starts } = kept;
  const i = PLACES.get(shown(character)) ?? 0;
  const [width, start, { height, coverage }] = [letters.widths[i] ?? 0, starts[i] ?? 0, letters];
  return {
    width,
    height,
    at: (x, y) =>
      x < 0 || y < 0 || x >= width || y >= height ? 0 : (coverage[start + y * width + x] ?? 0) / 15,
  };
}

const PLACES = new Map([...CHARACTERS].map((character, i) => [character, i]));

function shown(character: string): string {
  if (PLACES.has(character)) return character;
  const bare = character.normalize('NFKD').slice(0, 1);
  return PLACES.has(bare) ? bare : '·';
}

/** `letters.gz`: a line of JSON (height, baseline, widths), then the coverage. DejaVu Sans Bold, free to embed. */
function load(): { letters: Letters; starts: readonly number[] } {
  const bytes = gunzipSync(readFileSync(new URL('./letters.gz', import.meta.url)));
  const end = bytes.indexOf(10);
  const head = JSON.parse(bytes.subarray(0, end).toString()) as Omit<Letters, 'coverage'>;
  let at = 0;
  const starts = head.widths.map((width) => {
    const start = at;
    at += width * head.height;
    return start;
  });
  return { letters: { ...head, coverage: new Uint8Array(bytes.subarray(end + 1)) }, starts };
}
