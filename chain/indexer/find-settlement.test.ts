import fc from 'fast-check';
import { decodeEventLog, encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { expect, it } from 'vitest';
import { settlementAbi } from '../abi/settlement.ts';
import type { ChainLog } from '../rpc/reader.ts';
import { isSettlementOf, readSettled, type SettlementTerms } from './find-settlement.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const address = hex(40).map((s): Hex => `0x${s}`);
const amount = fc.bigInt(0n, 2n ** 128n - 1n);
const terms: fc.Arbitrary<SettlementTerms> = fc.record({
  dealId: hex(64).map((s): Hex => `0x${s}`),
  seller: address,
  buyer: address,
  asset: address,
  tokenId: amount,
  token: address,
  price: amount,
  fee: amount,
});
const SETTLEMENT: Hex = `0x${'5e'.repeat(20)}`;

function said(
  by: Hex,
  { dealId, seller, buyer, asset, tokenId, token, price, fee }: SettlementTerms,
): ChainLog {
  return {
    address: by,
    topics: encodeEventTopics({
      abi: settlementAbi,
      eventName: 'DealSettled',
      args: { dealId, seller, buyer },
    }) as Hex[],
    data: encodeAbiParameters(
      ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
      [asset, tokenId, token, price, fee],
    ),
    blockNumber: 1n,
    blockHash: `0x${'1'.repeat(64)}`,
    transactionHash: `0x${'2'.repeat(64)}`,
    logIndex: 0,
  };
}

it('takes the event of exactly this deal for its settlement', () => {
  fc.assert(fc.property(terms, (deal) => isSettlementOf(said(SETTLEMENT, deal), SETTLEMENT, deal)));
});

it.each(['dealId', 'seller', 'buyer', 'asset', 'tokenId', 'token', 'price', 'fee'] as const)(
  'takes no event that differs in its %s for the settlement of a deal',
  (field) => {
    fc.assert(
      fc.property(terms, terms, (deal, other) => {
        fc.pre(deal[field] !== other[field]);
        expect(isSettlementOf(said(SETTLEMENT, { ...deal, [field]: other[field] }), SETTLEMENT, deal)).toBe(
          false,
        );
      }),
    );
  },
);

it('takes no event of another contract for the settlement of a deal', () => {
  fc.assert(
    fc.property(terms, address, (deal, impostor) => {
      fc.pre(impostor !== SETTLEMENT);
      expect(isSettlementOf(said(impostor, deal), SETTLEMENT, deal)).toBe(false);
    }),
  );
});

it('reads of a settlement what a decoder by its ABI reads', () => {
  fc.assert(
    fc.property(terms, (deal) => {
      const { topics, data } = said(SETTLEMENT, deal);
      const decoded = decodeEventLog({
        ...{ abi: settlementAbi, eventName: 'DealSettled', data },
        topics: [...topics] as [Hex, ...Hex[]],
      }).args;
      const low = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
      const lower = (of: object) => Object.fromEntries(Object.entries(of).map(([k, v]) => [k, low(v)]));
      expect(readSettled({ topics, data })).toEqual(lower(decoded));
    }),
  );
});

it('takes no cut or lengthened event for the settlement of a deal', () => {
  fc.assert(
    fc.property(
      terms,
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 160 }),
      (deal, topics, bytes) => {
        const log = said(SETTLEMENT, deal);
        expect(isSettlementOf({ ...log, topics: log.topics.slice(0, topics) }, SETTLEMENT, deal)).toBe(false);
        const data = log.data.slice(0, -2 * bytes) as Hex;
        expect(isSettlementOf({ ...log, data }, SETTLEMENT, deal)).toBe(false);
        const longer: Hex = `${log.data}${'0'.repeat(2 * bytes)}`;
        expect(isSettlementOf({ ...log, data: longer }, SETTLEMENT, deal)).toBe(false);
      },
    ),
  );
});

it('takes no refusal of a deal for its settlement', () => {
  fc.assert(
    fc.property(terms, (deal) => {
      const { dealId, seller, buyer } = deal;
      const args = { dealId, seller, buyer };
      const refused = {
        ...said(SETTLEMENT, deal),
        topics: encodeEventTopics({ abi: settlementAbi, eventName: 'DealFailed', args }) as Hex[],
        data: encodeAbiParameters([{ type: 'bytes' }], ['0x']),
      };
      expect(isSettlementOf(refused, SETTLEMENT, deal)).toBe(false);
      expect(readSettled(refused)).toBeNull();
    }),
  );
});
