import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Tone } from '../html/components.ts';
import { LETTER_PX, letter } from './letters.ts';
import { type Canvas, type Colour, canvas } from './png.ts';
import { SHARE_SIZE } from './share-size.ts';

/** What a link's picture shows. Every text may be a stranger's: it is drawn, and never read as markup. */
export interface SharePicture {
  /** What kind of thing it is, in small letters above. */
  readonly kind: string;
  /** A verdict or state, as a badge. */
  readonly word?: { readonly text: string; readonly tone: Tone };
  /** Three lines at most; the rest is cut. */
  readonly title: string;
  /** Two lines at most, under the title. */
  readonly says: string;
}

const PAPER: Colour = [0xf6, 0xf7, 0xf9];
const INK: Colour = [0x15, 0x18, 0x1e];
const SOFT: Colour = [0x54, 0x5c, 0x69];
const MARK: Colour = [0x0b, 0x5d, 0x47];
const WHITE: Colour = [0xff, 0xff, 0xff];
const TONES: Readonly<Record<Tone, Colour>> = {
  clean: [0x0c, 0x5a, 0x37],
  flagged: [0x9b, 0x1c, 0x1c],
  unverified: [0x6f, 0x4a, 0x00],
  waiting: [0x1d, 0x4b, 0xa3],
  '': INK,
};
const LEFT = 80;
const ROOM = SHARE_SIZE.width - 2 * LEFT;

const drawn = new BoundedMap<string, Buffer>(200);

/** Draws the picture that is shown beside a link, as a PNG, since few readers of links take SVG. */
export function sharePicture(picture: SharePicture): Buffer {
  const key = JSON.stringify(picture);
  const made = drawn.get(key) ?? draw(picture);
  drawn.set(key, made);
  return made;
}

function draw({ kind, word, title, says }: SharePicture): Buffer {
  const on = canvas(SHARE_SIZE.width, SHARE_SIZE.height, PAPER);
  box(on, { x: 0, y: 0, width: SHARE_SIZE.width, height: 18, round: 0 }, TONES[word?.tone ?? 'clean']);
  brand(on);
  let top = 190;
  write(on, kind, { x: LEFT, y: top, px: 28, colour: SOFT });
  top += 48;
  for (const line of wrapped(title, 56, 3)) {
    write(on, line, { x: LEFT, y: top, px: 56, colour: INK });
    top += 70;
  }
  top += 14;
  for (const line of wrapped(says, 32, 2)) {
    write(on, line, { x: LEFT, y: top, px: 32, colour: SOFT });
    top += 44;
  }
  if (word !== undefined) badge(on, word.text, TONES[word.tone]);
  return on.png();
}

/** The name of the service with its mark: a shield's tick in a square. */
function brand(on: Canvas): void {
  box(on, { x: LEFT, y: 74, width: 60, height: 60, round: 16 }, MARK);
  stroke(on, [LEFT + 17, 106], [LEFT + 26, 116], 3.5, WHITE);
  stroke(on, [LEFT + 26, 116], [LEFT + 44, 92], 3.5, WHITE);
  write(on, 'Safe Handshake', { x: LEFT + 80, y: 82, px: 36, colour: INK });
}

function badge(on: Canvas, text: string, colour: Colour): void {
  const width = Math.min(ROOM / 2, widthOf(text, 40)) + 64;
  const x = SHARE_SIZE.width - LEFT - width;
  box(on, { x, y: 68, width, height: 72, round: 36 }, colour);
  write(on, text, { x: x + 32, y: 80, px: 40, colour: WHITE });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly round: number;
}

function box(on: Canvas, { x, y, width, height, round }: Box, colour: Colour): void {
  for (let row = Math.floor(y); row < y + height; row++)
    for (let column = Math.floor(x); column < x + width; column++) {
      const outside = (at: number, from: number, size: number) =>
        Math.max(from + round - at, at - (from + size - round), 0);
      const off = Math.hypot(outside(column + 0.5, x, width), outside(row + 0.5, y, height));
      on.cover(column, row, colour, round === 0 ? 1 : Math.max(0, round - off + 0.5));
    }
}

type Point = readonly [number, number];

function stroke(on: Canvas, [ax, ay]: Point, [bx, by]: Point, half: number, colour: Colour): void {
  const [dx, dy] = [bx - ax, by - ay];
  for (let y = Math.floor(Math.min(ay, by) - half - 1); y <= Math.max(ay, by) + half + 1; y++)
    for (let x = Math.floor(Math.min(ax, bx) - half - 1); x <= Math.max(ax, bx) + half + 1; x++) {
      const [px, py] = [x + 0.5 - ax, y + 0.5 - ay];
      const along = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
      on.cover(x, y, colour, half - Math.hypot(px - along * dx, py - along * dy) + 0.5);
    }
}

function widthOf(text: string, px: number): number {
  let width = 0;
  for (const character of text) width += letter(character).width * (px / LETTER_PX);
  return Math.ceil(width);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly px: number;
  readonly colour: Colour;
}

function write(on: Canvas, text: string, { x, y, px, colour }: Place): void {
  const scale = px / LETTER_PX;
  let left = x;
  for (const character of text) {
    const { columns, rows, coverage } = sized(character, px);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        on.cover(Math.round(left) + column, y + row, colour, coverage[row * columns + column] ?? 0);
    left += letter(character).width * scale;
  }
}

interface Sized {
  readonly columns: number;
  readonly rows: number;
  readonly coverage: Float32Array;
}

/** Each character at each of the few sizes that are drawn. */
const sizes = new BoundedMap<string, Sized>(800);

function sized(character: string, px: number): Sized {
  const known = sizes.get(`${px} ${character}`);
  if (known !== undefined) return known;
  const scale = px / LETTER_PX;
  const { width, height, at } = letter(character);
  const [columns, rows] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const coverage = Float32Array.from({ length: columns * rows }, (_, i) =>
    averaged(at, (i % columns) / scale, Math.floor(i / columns) / scale, 1 / scale),
  );
  const made = { columns, rows, coverage };
  sizes.set(`${px} ${character}`, made);
  return made;
}

/** The coverage of a square of the letter, which is one pixel of the picture. */
function averaged(at: (x: number, y: number) => number, x: number, y: number, size: number): number {
  if (size === 1) return at(x, y);
  const samples = 3;
  let sum = 0;
  for (let i = 0; i < samples; i++)
    for (let j = 0; j < samples; j++)
      sum += at(Math.floor(x + ((i + 0.5) / samples) * size), Math.floor(y + ((j + 0.5) / samples) * size));
  return sum / (samples * samples);
}

/** Breaks a text between words, and inside a word that is wider than a line. What does not fit is cut. */
function wrapped(text: string, px: number, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // No text is longer than what could stand in these lines if each letter were the narrowest.
  const words = text
    .slice(0, 400)
    .split(/\s+/)
    .flatMap((word) => pieces(word, px));
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer, px) <= ROOM) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (widthOf(`${last}…`, px) > ROOM) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}

function pieces(word: string, px: number): readonly string[] {
  const found: string[] = [];
  let piece = '';
  for (const character of word) {
    if (widthOf(piece + character, px) > ROOM) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? found : [...found, piece];
}
