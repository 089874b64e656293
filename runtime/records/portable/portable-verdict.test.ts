import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../../agents/canonical.ts';
import { recordTypedData } from '../../../agents/records/eip712.ts';
import { makeRecord } from '../../../agents/records/record.ts';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { verdictJwt, verdictSdJwt } from './portable-verdict.ts';
import { verdictKey } from './verdict-key.ts';

const KEY = verdictKey(seedKeys(`0x${'11'.repeat(32)}`));
const NOW = new Date('2026-11-21T08:00:00Z');
const HOUR_MS = 3_600_000;
const ISSUING = {
  ...{ key: KEY, issuer: 'https://handshake.example', audience: 'https://shop.example' },
  now: NOW,
};

const panel = { depth: '2-of-2', votes: [{ seat: 'rules/viem', vote: 'INCONCLUSIVE' }] };
const wallet = (verdict: string, outcome: string) => ({
  record: { verdict, chainId: 84532, evidence: { checks: [{ id: 'list-sanctions', outcome }], panel } },
});

/** Signs records; the service may have another key by now. */
const RECORDER = privateKeyToAccount(`0x${'22'.repeat(32)}`);

async function attested(
  hoursAgo: number,
  content: object,
  kind: 'determination' | 'deal-settled' = 'determination',
) {
  const made = makeRecord({
    ...{ recordId: 'rec_1', kind, subject: `0x${'ab'.repeat(20)}`, summary: 'said', content },
    issuedAt: new Date(NOW.getTime() - hoursAgo * HOUR_MS),
  });
  const signature = await RECORDER.signTypedData(recordTypedData(made.record, made.hash));
  return { ...made, signature, seq: 7n };
}

const CLEAN = wallet('CLEAN', 'PASS');

describe('a portable verdict', () => {
  it('ends a day after it was judged, whenever its token is made', async () => {
    const token = await verdictJwt(await attested(23, CLEAN), ISSUING);
    const read = (hours: number) =>
      jwtVerify(token, createLocalJWKSet({ keys: [...KEY.published] }), {
        currentDate: new Date(NOW.getTime() + hours * HOUR_MS),
      });
    await expect(read(0.5)).resolves.toBeDefined();
    await expect(read(2)).rejects.toThrow(/exp/);
    const old = { code: 'conflict', message: expect.stringContaining('ask for a new determination') };
    for (const form of [verdictJwt, verdictSdJwt])
      await expect(form(await attested(48, CLEAN), ISSUING)).rejects.toMatchObject(old);
    // What was settled does not age.
    await expect(verdictJwt(await attested(48, {}, 'deal-settled'), ISSUING)).resolves.toBeDefined();
  });

  it('names who signed its record, whichever key signs today', async () => {
    const of = await attested(1, CLEAN);
    for (const form of [verdictJwt, verdictSdJwt]) {
      const [jwt = ''] = (await form(of, ISSUING)).split('~');
      const { signer: address, signature } = decodeJwt(jwt).eip712 as { signer: Hex; signature: Hex };
      expect(address).toBe(RECORDER.address);
      expect(await verifyTypedData({ address, signature, ...recordTypedData(of.record, of.hash) })).toBe(
        true,
      );
    }
  });

  it('says its chain, its determinations, its depth and its age where all that may be is left out', async () => {
    const [jwt = ''] = (await verdictSdJwt(await attested(1, CLEAN), ISSUING)).split('~');
    const { record, ...shown } = decodeJwt(jwt);
    expect(record).not.toHaveProperty('content');
    expect(shown).toMatchObject({
      ...{ verdict: 'CLEAN', chain: 'eip155:84532', determinations: ['wallet'], depth: '2-of-2' },
      judgedAt: '2026-11-21T07:00:00Z',
    });
    expect(shown).not.toHaveProperty('inconclusive');
  });

  it('says of a FLAGGED one that nothing was found, where nothing was', async () => {
    const said = async (content: object) =>
      decodeJwt(await verdictJwt(await attested(1, content), ISSUING)).inconclusive;
    expect(await said(wallet('FLAGGED', 'INCONCLUSIVE'))).toBe(true);
    expect(await said(wallet('FLAGGED', 'FLAG'))).toBeUndefined();
    const tier = { tier: 'tier2', verdict: 'FLAGGED', determinations: [{ panel }], determinationsRun: [] };
    expect(await said({ record: { ...tier, flagged: [] } })).toBe(true);
    expect(await said({ record: { ...tier, flagged: ['double-pledge'] } })).toBeUndefined();
  });
});
