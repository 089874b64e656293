import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHARACTERS, LETTER_PX } from '../../api/share/letters.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

const KEPT = new URL('../../api/share/letters.gz', import.meta.url);

interface Drawn {
  readonly height: number;
  readonly baseline: number;
  readonly widths: readonly number[];
  readonly coverage: readonly number[];
}

/** Run in the page: each character in a cell of its own width, its coverage in sixteenths. */
const DRAW = `((characters, px) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: px * 2, height: Math.ceil(px * 1.3) });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const font = 'bold ' + px + 'px "DejaVu Sans"';
  const [height, baseline] = [canvas.height, px];
  const [widths, coverage] = [[], []];
  for (const character of characters) {
    pen.clearRect(0, 0, canvas.width, height);
    pen.font = font;
    pen.fillText(character, 0, baseline);
    const width = Math.round(pen.measureText(character).width);
    widths.push(width);
    const { data } = pen.getImageData(0, 0, width, height);
    for (let i = 3; i < data.length; i += 4) coverage.push(Math.round(data[i] / 17));
  }
  return { height, baseline, widths, coverage };
})`;

describe.runIf(CHROMIUM !== undefined)('the letters of share pictures', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  // `UPDATE_PICTURES=1 npx vitest run --project parts test/browser/letters.test.ts` draws them anew.
  it('are kept for each character', async () => {
    if (process.env.UPDATE_PICTURES === '1') {
      const page = patient(await browser.newPage());
      const call = `${DRAW}(${JSON.stringify([...CHARACTERS])}, ${LETTER_PX})`;
      const { coverage, ...head } = (await page.evaluate(call)) as Drawn;
      await page.close();
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(coverage)]);
      writeFileSync(KEPT, gzipSync(bytes, { level: 9 }));
    }
    expect(existsSync(KEPT)).toBe(true);
    const bytes = gunzipSync(readFileSync(KEPT));
    const end = bytes.indexOf(10);
    const { widths, height } = JSON.parse(bytes.subarray(0, end).toString()) as Drawn;
    expect(widths).toHaveLength([...CHARACTERS].length);
    expect(bytes.length - end - 1).toBe(widths.reduce((sum, width) => sum + width * height, 0));
  });
});
