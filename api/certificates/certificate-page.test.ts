import { expect, it } from 'vitest';
import { CERTIFICATE_LIMIT } from '../../agents/certificates/certificates.ts';
import { certificatePage } from './certificate-page.ts';
import type { DisputeDocument } from './dispute-document.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
const at = '2026-11-21T07:00:00.000Z';
const address = `0x${'cd'.repeat(20)}`;
const decision = { decision: 'upheld' as const, reason: HOSTILE, decidedAt: at, recordUrl: HOSTILE };
const dispute: DisputeDocument = {
  disputeId: 'dsp_1',
  state: 'upheld',
  wallet: address,
  grounds: HOSTILE,
  evidence: ['https://evil.example/x', HOSTILE],
  filedAt: at,
  replyUntil: at,
  reply: { text: HOSTILE, wallet: address, repliedAt: at },
  cause: HOSTILE,
  heldUntil: at,
  decision,
  appealUntil: at,
  appeal: { wallet: address, grounds: HOSTILE, appealedAt: at },
  secondDecision: decision,
};
const shown = (disputes: DisputeDocument[]): string =>
  certificatePage({
    name: 'Certificate of GENERIC A1',
    description: '',
    image: 'data:image/svg+xml,',
    external_url: '',
    attributes: [],
    tokenId: '1',
    contract: address,
    chainId: 1002,
    serial: 'serial:generic:A1',
    serialKind: 'generic',
    number: 'A1',
    state: 'live',
    limit: CERTIFICATE_LIMIT,
    holder: address,
    controller: address,
    handle: null,
    listingRef: null,
    asOfBlock: '1',
    history: [],
    historyComplete: true,
    disputes,
  }).text;

it('quotes what was said in a dispute, and lets none of it become markup or a link', () => {
  const text = shown([dispute]);
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<img src=x');
  expect(text.split('&lt;script&gt;alert(1)').length - 1).toBeGreaterThanOrEqual(8);
  expect(text).toContain('https://evil.example/x');
  expect(text).not.toContain('href="https://evil.example');
  expect(text.match(/<blockquote>/g)).toHaveLength(6);
});

it('says of a certificate without disputes that nobody disputed it', () => {
  expect(shown([])).toContain('Nobody has disputed it.');
});
