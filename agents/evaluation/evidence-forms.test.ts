import type { Static, TSchema } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { MandateChainFacts, MandateCommon } from '../determinations/mandate/mandate-evidence.ts';
import type { PledgeCommon, PledgeFacts } from '../determinations/pledge/pledge-evidence.ts';
import type { PriceCommon } from '../determinations/price/price-evidence.ts';
import type { ProvenanceCommon, ProvenanceFacts } from '../determinations/provenance/provenance-evidence.ts';
import type { ShillCommon, ShillFacts } from '../determinations/shill/shill-evidence.ts';
import type { WalletCommon, WalletFacts } from '../determinations/wallet/wallet-evidence.ts';
import type * as deal from './forms/deal-forms.ts';
import type * as goods from './forms/goods-forms.ts';
import type * as wallet from './forms/wallet-forms.ts';
import { readEvidence } from './read-evidence.ts';

/** Also of each kind of a union. */
type Names<T> = T extends unknown ? keyof T : never;
type NamesOf<Form extends TSchema> = Names<Static<Form>>;

const AT = '2026-11-01T00:00:00Z';
const envelope = {
  ...{ rules: 1, at: AT, performer: 'AGENT', depth: '1-of-1', blocks: {} },
  seats: [{ seat: 'rules/viem', method: 'rules', source: 'a node', limit: '', facts: {}, fault: null }],
};

describe('the forms of evidence', () => {
  it('know every field that evidence has, and no other', () => {
    expectTypeOf<NamesOf<typeof goods.PledgeCommon>>().toEqualTypeOf<keyof PledgeCommon>();
    expectTypeOf<NamesOf<typeof goods.PledgeFacts>>().toEqualTypeOf<keyof PledgeFacts>();
    expectTypeOf<NamesOf<typeof goods.PriceCommon>>().toEqualTypeOf<keyof PriceCommon>();
    expectTypeOf<NamesOf<typeof goods.ProvenanceCommon>>().toEqualTypeOf<keyof ProvenanceCommon>();
    expectTypeOf<NamesOf<typeof goods.ProvenanceFacts>>().toEqualTypeOf<keyof ProvenanceFacts>();
    expectTypeOf<NamesOf<typeof deal.MandateCommon>>().toEqualTypeOf<keyof MandateCommon>();
    expectTypeOf<NamesOf<typeof deal.MandateFacts>>().toEqualTypeOf<keyof MandateChainFacts>();
    expectTypeOf<NamesOf<typeof deal.ShillDeal> | NamesOf<typeof deal.ShillLot>>().toEqualTypeOf<
      Names<ShillCommon>
    >();
    expectTypeOf<NamesOf<typeof deal.ShillFacts>>().toEqualTypeOf<keyof ShillFacts>();
    expectTypeOf<NamesOf<typeof wallet.WalletCommon>>().toEqualTypeOf<keyof WalletCommon>();
    expectTypeOf<NamesOf<typeof wallet.WalletFacts>>().toEqualTypeOf<keyof WalletFacts>();
  });

  it('take what an agent that is sold holds, and what came to it since', () => {
    const some = { count: 1, some: ['eip155:1002/erc721:0x1/1'] };
    const contents = { held: [], fault: null, judged: true, notLookedAt: some, cameSince: some };
    const common = {
      assetKey: 'eip155:1002/erc721:0x2/7',
      listingRef: null,
      handle: null,
      claims: [],
      contents,
    };
    expect(readEvidence('double-pledge', { ...envelope, id: 'double-pledge', common }).common).toEqual(
      common,
    );
  });

  it('take the disputes of a certificate by the rules of now', () => {
    const stolen = { register: 'stolen', maxAgeDays: 7, lists: [], hits: [], lookedUp: [] };
    const dispute = {
      disputeId: 'dsp_1',
      tokenId: '7',
      by: '0x1',
      state: 'disclosed',
      ruling: null,
      filedAt: AT,
    };
    const disputes = [{ ...dispute, closed: false }];
    const common = { assetKey: 'serial:1', stolen, disputes, moreDisputes: 2, disputeRules: 2 };
    const seats = [{ ...envelope.seats[0], facts: { custody: [], alike: [{}] } }];
    expect(readEvidence('provenance', { ...envelope, id: 'provenance', common, seats }).common).toEqual(
      common,
    );
  });
});
