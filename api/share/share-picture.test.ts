import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Withdrawal } from '../../agents/records/withdrawal.ts';
import { letter } from './letters.ts';
import { type SharePicture, sharePicture } from './share-picture.ts';
import { recordShare } from './share-words.ts';

const plain: SharePicture = { kind: 'For sale', title: 'A pallet of laptops', says: 'Open to offers.' };

/** The pixels of a PNG of this service: colours by number, one filter byte before each row. */
function pixelsOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT');
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
}

describe('a share picture', () => {
  it('is a PNG of 1200 by 630 whose pixels are all there, and small enough for every reader of links', () => {
    const png = sharePicture({ ...plain, word: { text: 'FLAGGED', tone: 'flagged' } });
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(pixelsOf(png)).toHaveLength(1201 * 630);
    expect(png.length).toBeLessThan(60_000);
  });

  it('shows what it is given: other words are other pixels, and the same words the same', () => {
    const drawn = (change: Partial<SharePicture>) => pixelsOf(sharePicture({ ...plain, ...change }));
    expect(drawn({}).equals(drawn({}))).toBe(true);
    expect(drawn({ title: 'A pallet of lamps' }).equals(drawn({}))).toBe(false);
    expect(drawn({ word: { text: 'CLEAN', tone: 'clean' } }).equals(drawn({}))).toBe(false);
  });

  it('cuts what has no room, however long or in whatever script it is', () => {
    for (const title of ['w'.repeat(5_000), '日本 '.repeat(2_000), '', ' \n ', '\u202e\u0000'])
      expect(pixelsOf(sharePicture({ ...plain, title, says: title }))).toHaveLength(1201 * 630);
    const cut = (end: string) => pixelsOf(sharePicture({ ...plain, title: `${'word '.repeat(60)}${end}` }));
    expect(cut('one').equals(cut('two'))).toBe(true);
  });

  it('draws an accent that it knows, the bare letter of one that it does not, and a dot for the rest', () => {
    const shape = (character: string) => {
      const { width, height, at } = letter(character);
      return Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width))).join();
    };
    expect(shape('é')).not.toBe(shape('e'));
    expect(shape('ě')).toBe(shape('e'));
    expect(shape('日')).toBe(shape('·'));
  });
});

describe('the picture of a record', () => {
  const record = { recordId: 'rec_1', summary: 'Wallet determination', content: { verdict: 'FLAGGED' } };

  it('shows the verdict, and that it was retracted or overturned in its place', () => {
    const shown = (withdrawn: Withdrawal | null) => recordShare(record, { anchored: true, withdrawn });
    expect(shown(null).word?.text).toBe('FLAGGED');
    expect(shown('retracted')).toMatchObject({
      word: { text: 'retracted' },
      title: 'RETRACTED: Wallet determination',
      says: expect.stringContaining('taken back'),
    });
    expect(shown('overturned')).toMatchObject({
      word: { text: 'overturned' },
      title: 'OVERTURNED: Wallet determination',
      says: expect.stringContaining('appeal'),
    });
  });
});
