import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portrait, portraitHeaders, type Sitter } from './portrait.ts';

const sitter: Sitter = {
  handle: 'harbour-desk',
  tier: 'AGENT',
  status: 'active',
  chainId: 1002,
  tokenId: 7n,
  account: `0x${'1f'.repeat(20)}`,
};
const draw = (change: Partial<Sitter> = {}) => portrait({ ...sitter, ...change }).text;
const secretBox = (text: string) => /<g class="seal[\s\S]*?(?=\n<text)/.exec(text)?.[0] ?? 'no seal';

describe('a portrait', () => {
  it('is the same for the same agent, and another for another account, tier or state', () => {
    expect(draw()).toBe(draw());
    const others = [
      draw({ account: `0x${'2e'.repeat(20)}` }),
      draw({ tier: 'EXECUTOR' }),
      draw({ status: 'paused' }),
      draw({ tokenId: 8n }),
    ];
    expect(new Set([draw(), ...others]).size).toBe(5);
    expect(secretBox(draw({ account: `0x${'2e'.repeat(20)}` }))).not.toBe(secretBox(draw()));
    expect(secretBox(draw({ handle: 'another' }))).toBe(secretBox(draw()));
  });

  it('says in words what it shows, to those who cannot see it', () => {
    const text = draw({ tier: 'EXECUTOR', status: 'suspended' });
    expect(text).toMatch(/<svg [^>]*role="img" aria-labelledby="name about"/);
    expect(text).toContain('<title id="name">harbour-desk, an EXECUTOR of Safe Handshake</title>');
    expect(text).toContain(`Status suspended. Account ${sitter.account}, token 7 on eip155:1002.`);
  });

  it('tells each state by a word and a shape, and one that is not known as unknown', () => {
    const states = ['active', 'minting', 'paused', 'suspended', 'retired', null];
    const marks = states.map((status) => /<g class="mark"[^>]*>(.*?)<\/g>/.exec(draw({ status }))?.[1]);
    expect(new Set(marks).size).toBe(5);
    for (const status of states) expect(draw({ status })).toContain(`>${status ?? 'unknown'}</text>`);
  });

  it('fits a handle of any length into the card', () => {
    const size = (handle: string) =>
      Number(new RegExp(`font-size="(\\d+)" text-anchor="middle">${handle}`).exec(draw({ handle }))?.[1]);
    expect(size('abc')).toBe(36);
    expect(size('w'.repeat(32)) * 32 * 0.62).toBeLessThanOrEqual(400);
    expect(size('w'.repeat(32))).toBeGreaterThanOrEqual(18);
  });

  it('has no markup but its own, whatever it is given', () => {
    const tags = (text: string) => [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag.split(/[\s>]/)[0]);
    const own = tags(draw());
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (hostile) => {
        const text = draw({ handle: `${hostile}"><script>alert(1)</script>&` });
        expect(tags(text)).toEqual(own);
        expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('asks nothing of the network, runs nothing, and may wear the one style that it carries', () => {
    const text = draw();
    expect(text).not.toMatch(/<script|<foreignObject|<image|href=|url\(|@import|\son\w+=|\sstyle=/i);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(portraitHeaders(sitter)['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; sandbox`,
    );
    expect(style).toContain('@media(prefers-color-scheme:dark)');
  });
});
