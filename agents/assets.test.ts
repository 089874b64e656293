import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetKey, normaliseAsset, parseAssetKey } from './assets.ts';

const CONTRACT = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';

describe('asset keys', () => {
  it('give one key to every spelling of a token', () => {
    const key = `eip155:1002/erc721:${CONTRACT.toLowerCase()}/17`;
    for (const tokenId of ['17', '017', '0x11', '0x0011']) {
      expect(assetKey(normaliseAsset({ chainId: 1002, contract: CONTRACT, tokenId }))).toBe(key);
    }
    expect(assetKey(normaliseAsset({ contract: CONTRACT.toLowerCase(), tokenId: '17' }))).toBe(key);
  });

  it('give one key to every spelling of a serial', () => {
    for (const serial of ['1HGCM82633A004352', '1hgcm82633a004352', '1HG-CM826 33A.004352']) {
      expect(assetKey(normaliseAsset({ serial }))).toBe('serial:vin:1HGCM82633A004352');
    }
    expect(assetKey(normaliseAsset({ serial: '00012345600012', serialKind: 'gtin' }))).toBe(
      assetKey(normaliseAsset({ serial: '012345600012', serialKind: 'gtin' })),
    );
  });

  it('read back what they write', () => {
    const token = fc.record({
      chainId: fc.integer({ min: 1, max: 2 ** 31 }),
      contract: fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      tokenId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
    });
    fc.assert(
      fc.property(token, (input) => {
        const key = assetKey(normaliseAsset(input));
        return assetKey(parseAssetKey(key)) === key;
      }),
    );
  });

  it.each([
    [{}, 'asset'],
    [{ contract: CONTRACT }, 'asset.tokenId'],
    [{ contract: '0x12', tokenId: '1' }, 'asset.contract'],
    [{ contract: CONTRACT, tokenId: '-1' }, 'asset.tokenId'],
    [{ contract: CONTRACT, tokenId: (2n ** 256n).toString() }, 'asset.tokenId'],
    [{ serial: '' }, 'asset.serial'],
    [{ serial: 'A<script>' }, 'asset.serial'],
    [{ contract: CONTRACT, tokenId: '1', serial: 'X1234' }, 'asset'],
  ])('refuse %j naming %s', (input, path) => {
    expect(() => normaliseAsset(input)).toThrow(expect.objectContaining({ code: 'bad-request' }));
    try {
      normaliseAsset(input);
    } catch (error) {
      expect((error as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
    }
  });

  it.each([
    ['1HGCM82633A004352', 'vin'],
    ['490154203237518', 'imei'],
    ['9780306406157', 'isbn'],
    ['0306406152', 'isbn'],
    ['4006381333931', 'gtin'],
    ['USRC17607839', 'isrc'],
    ['WATCH42', 'generic'],
  ])('recognise %s as %s', (serial, kind) => {
    expect(normaliseAsset({ serial })).toMatchObject({ serialKind: kind });
  });
});
