import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { pledgeWords } from '../../agents/market/goods-words.ts';
import { releaserOf } from '../../runtime/market/listings/pledge.ts';
import type { App } from '../http/app.ts';
import { GOODS } from '../words/desk/goods.ts';
import { pledgeRoutes } from './pledges.ts';

const PLEDGER = `0x${'ab'.repeat(20)}`;
const LENDER = `0x${'cd'.repeat(20)}`;
const until = new Date('2026-12-31T23:59:59Z');

/** Which of the two wallets the service takes a release from. */
function releases(lender: string | null): string[] {
  return [PLEDGER, LENDER].filter((wallet) => {
    try {
      return releaserOf({ id: 'plg', wallet: PLEDGER, lender }, wallet) === wallet;
    } catch {
      return false;
    }
  });
}

const signed = (lender: string | null, day: Date | null = until) =>
  pledgeWords({ key: 'serial:isbn:9780306406157', listingRef: 'loan-2027-14', lender, until: day });

/** What the interface description says of the release. */
function described(): string {
  const app = fastify();
  let said = '';
  app.addHook('onRoute', ({ url, schema }) => {
    if (url === '/pledge/:pledgeId/release') said = JSON.stringify(schema);
  });
  pledgeRoutes(app as unknown as App, {} as Parameters<typeof pledgeRoutes>[1]);
  return said;
}

describe('the words of a pledge', () => {
  it('name as who ends it the wallet that the service takes a release from', () => {
    expect(releases(null)).toEqual([PLEDGER]);
    expect(signed(null)).toContain('It ends when the wallet that pledges releases it');
    expect(releases(LENDER)).toEqual([LENDER]);
    expect(signed(LENDER)).toContain('It ends when its lender releases it');
    expect(releases('Bank of X')).toEqual([]);
    expect(signed('Bank of X')).toContain(
      'It ends when the operator releases it, as its lender is not named by a wallet',
    );
  });

  it('say that no date ends it, as none does', () => {
    for (const lender of [null, LENDER, 'Bank of X']) {
      for (const day of [until, null]) expect(signed(lender, day)).toContain(', and not by a date.');
      expect(signed(lender)).toContain(', due 31 December 2026 23:59:59 UTC.');
      expect(signed(lender)).not.toContain('until');
    }
    expect(GOODS.pledge.fields.until.hint).toContain('The day ends nothing');
  });

  it('say on the forms and to programs that a lender who is named takes the release from the pledger', () => {
    expect(GOODS.pledge.lead).toContain('released: by you, or by the lender alone where you name one');
    expect(GOODS.pledge.fields.lender.hint).toContain('You cannot release it then');
    expect(GOODS.release.lead).toContain('A lender that is named ends it alone');
    const program = described();
    expect(program).toContain('by the lender alone where it names one');
    expect(program).toContain('the operator');
  });
});
