import { crc32, deflateSync } from 'node:zlib';

/** A colour as red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/**
 * A picture of at most 256 colours (PNG, third edition, colour type 3). What is drawn covers a share of each pixel;
 * the share is taken in sixteenths, so that the colours stay few.
 */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Covers a part, 0 to 1, of a pixel. Outside of the picture nothing happens. */
  cover(x: number, y: number, colour: Colour, part: number): void;
  png(): Buffer;
}

const STEPS = 15;

export function canvas(width: number, height: number, ground: Colour): Canvas {
  const pixels = new Uint8Array(width * height);
  const palette: Colour[] = [ground];
  const known = new Map([[keyOf(ground), 0]]);
  const mixed = new Map<number, number>();
  const indexOf = (colour: Colour): number => {
    const key = keyOf(colour);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (palette.length === 256) return 0;
    known.set(key, palette.length);
    return palette.push(colour) - 1;
  };
  const mix = (under: number, over: number, step: number): number => {
    const key = (under * 256 + over) * 16 + step;
    const found = mixed.get(key);
    if (found !== undefined) return found;
    const [a, b] = [palette[under] ?? ground, palette[over] ?? ground];
    const part = (i: 0 | 1 | 2) => Math.round(a[i] + ((b[i] - a[i]) * step) / STEPS);
    const made = indexOf([part(0), part(1), part(2)]);
    mixed.set(key, made);
    return made;
  };
  return {
    width,
    height,
    cover(x, y, colour, part) {
      const step = Math.round(Math.min(1, part) * STEPS);
      if (step <= 0 || x < 0 || y < 0 || x >= width || y >= height) return;
      const at = y * width + x;
      pixels[at] = mix(pixels[at] ?? 0, indexOf(colour), step);
    },
    png: () => encoded(width, height, palette, pixels),
  };
}

function keyOf([r, g, b]: Colour): number {
  return (r << 16) | (g << 8) | b;
}

function encoded(width: number, height: number, palette: readonly Colour[], pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
