import { createHash } from 'node:crypto';
import { type Html, html } from '../html/html.ts';
import { LOT } from '../words/lot.ts';

/** Headers of a picture that is shown inside pages. Opened by itself, it may load and run nothing. */
export const pictureHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
} as const;

/**
 * The picture of a lot that brings none of its own: shapes drawn from its key, always the same for one lot. It shows no
 * text that a seller can choose.
 */
export function lotDrawing(lot: string): Html {
  const bytes = createHash('sha256').update(lot).digest();
  const at = (i: number) => bytes[i % bytes.length] ?? 0;
  const hue = Math.round((at(0) / 255) * 360);
  const shapes = Array.from({ length: 7 }, (_, i) => {
    const [x, y, r] = [
      40 + (at(i * 3 + 1) / 255) * 320,
      30 + (at(i * 3 + 2) / 255) * 240,
      24 + at(i * 3 + 3) / 4,
    ];
    const fill = `hsl(${(hue + i * 23) % 360} 45% ${52 + (i % 3) * 9}%)`;
    return at(i) % 2 === 0
      ? html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" fill="${fill}" fill-opacity="0.72"/>`
      : html`<rect x="${(x - r).toFixed(1)}" y="${(y - r).toFixed(1)}" width="${(2 * r).toFixed(1)}" height="${(2 * r).toFixed(1)}" rx="10" fill="${fill}" fill-opacity="0.72" transform="rotate(${at(i + 9) % 90} ${x.toFixed(1)} ${y.toFixed(1)})"/>`;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" role="img"><title>${LOT.drawn}</title><rect width="400" height="300" fill="hsl(${hue} 35% 90%)"/>${shapes}</svg>`;
}
