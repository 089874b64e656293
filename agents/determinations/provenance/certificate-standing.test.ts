import { describe, expect, it } from 'vitest';
import { NOBODY } from '../../ids.ts';
import { standingOf } from './certificate-standing.ts';
import type { TokenCustody } from './custody.ts';

const BOB = `0x${'b'.repeat(40)}`;
const CONTRACT = `0x${'1'.repeat(40)}`;
const certificate: TokenCustody = {
  ...{ chain: 'eip155:1002', contract: CONTRACT, tokenId: '17', standard: 'erc721', fromBlock: '0' },
  moves: [{ block: '9', tx: '0x9', logIndex: 0, from: NOBODY, to: BOB, amount: '1' }],
  holders: [{ address: BOB, amount: '1' }],
  ...{ void: false, fault: null },
};
const common = { assetKey: 'serial:generic:WTU105K4021' };
const earlier = [{ tokenId: '16', on: 'serial:generic:TREK:WTU105K4021', holder: BOB, block: '8' }];

describe('a certificate beside an earlier one of what may be the same thing', () => {
  it('is open, and says which that is and with whom', () => {
    expect(standingOf(common, { custody: [certificate] })).toMatchObject({ open: [], others: [] });
    const standing = standingOf(common, { custody: [certificate], earlier });
    expect(standing).toMatchObject({ against: [], open: [], hard: false });
    expect(standing?.others).toEqual([
      `certificate 16, issued in block 8, stands for serial:generic:TREK:WTU105K4021, which may be the same thing, and is with ${BOB}`,
    ]);
    expect(standingOf(common, { custody: [], earlier })?.others).toHaveLength(1);
  });

  it('is open, too, where not all of them were read', () => {
    expect(standingOf(common, { custody: [certificate], earlierUnread: 3 })?.others).toEqual([
      '3 more certificates of what may be the same thing were not read',
    ]);
  });
});
