import { describe, expect, it } from 'vitest';
import { normaliseAsset } from '../assets.ts';
import { CERTIFICATE_LIMIT, certificateMetadata, type SerialAsset } from './certificates.ts';

const serial = (text: string) => normaliseAsset({ serial: text }) as SerialAsset;
const picture = (image: string) => decodeURIComponent(image.replace('data:image/svg+xml,', ''));

describe('the metadata of a certificate', () => {
  it('names the serial and says what the certificate does not prove', () => {
    const metadata = certificateMetadata(
      serial('1hgcm82633a004352'),
      'live',
      'https://x.test/certificates/7',
    );
    expect(metadata).toMatchObject({
      name: 'Certificate of VIN 1HGCM82633A004352',
      description: expect.stringContaining(CERTIFICATE_LIMIT),
      external_url: 'https://x.test/certificates/7',
      attributes: expect.arrayContaining([{ trait_type: 'state', value: 'live' }]),
    });
    expect(picture(metadata.image)).toMatch(/^<svg [^>]*>.*1HGCM82633A004352.*<\/svg>$/);
  });

  it('says of a retired one that it is, and keeps the longest serial inside the picture', () => {
    const image = picture(certificateMetadata(serial('A'.repeat(64)), 'retired', 'https://x.test').image);
    expect(image).toContain('RETIRED');
    const size = Number(/font-size="(\d+)" fill="#111"/.exec(image)?.[1]);
    // A monospaced letter is about three fifths of its height wide.
    expect(size * 0.61 * 64).toBeLessThanOrEqual(360);
    expect(size).toBeGreaterThan(0);
  });
});
