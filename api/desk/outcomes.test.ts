import { describe, expect, it } from 'vitest';
import { pauseAllWords } from '../../agents/agent/agent-words.ts';
import { confirmedOutcome, outcomeOf } from './outcomes.ts';

const typed = { handle: 'a-b', name: 'alice.x' };
const said = (command: string, answer: object, form: object = typed) =>
  outcomeOf(command, answer as never, form as never);

describe('what is said of an act', () => {
  it('is what was answered: an order that matched is never said to be on the book', () => {
    const match = { matchId: 'm', dealId: 'd-1', clearingPriceUsd: 105.5 };
    const done = said('order', { orderId: 'o', status: 'matched', match });
    expect(done?.said).toContain('It matched at $105.50: deal d-1.');
    expect(done?.said).not.toContain('is on the book');
    expect(done?.ways).toEqual([['/desk/deals?handle=a-b', 'See the deal']]);
    const rests = said('order', { orderId: 'o/1', status: 'resting', priceToBeatUsd: 60 });
    expect(rests?.said).toContain('on the book until it matches or ends. The price to beat is $60.00.');
    expect(rests?.ways?.[0]).toEqual(['/desk/cancel?handle=a-b&orderId=o%2F1', 'Take it back']);
    const unfunded = said('order', { orderId: 'o', status: 'unfunded', needUsd: 100, haveUsd: 12.5 });
    expect(unfunded?.said).toContain('the account holds $12.50 for it, and needs $100.00');
    expect(said('order', { orderId: 'o', status: 'odd' })?.said).toBe('The order is odd.');
  });

  it('says that an unpaid listing shows nowhere, and leads to its fee', () => {
    expect(said('list', { listingRef: 'l', status: 'live', feeUsd: 0 })?.said).toContain('for sale now');
    const unpaid = said('certify', { listingRef: 'l_1', status: 'unpaid', feeUsd: 2.5 });
    expect(unpaid?.said).toContain('nobody sees it yet: its fee of $2.50');
    expect(unpaid?.ways).toEqual([['/desk/listing-fee?listingRef=l_1', 'Pay the fee']]);
  });

  it('says of what a contract checks how far it is, and never that it holds before the chain has it', () => {
    const said = (answer: object) => confirmedOutcome(answer as never, typed).said;
    expect(said({ status: 'signed' })).toContain('It holds when the chain has it');
    expect(said({ status: 'done' })).toContain('it holds now');
    expect(said({ status: 'failed', reason: 'BadOwnerSignature' })).toContain('BadOwnerSignature');
    expect(said({ recordUrl: '/records/r' })).toContain('public record');
  });

  it('tells a bid that leads from one that does not, and one that bought', () => {
    expect(said('name-bid', { status: 'leading', priceToBeatUsd: 1 })?.said).toContain('the highest bid');
    expect(said('name-bid', { status: 'outbid', priceToBeatUsd: 9 })?.said).toContain('does not lead');
    const match = { dealId: 'd', clearingPriceUsd: 300 };
    expect(said('name-bid', { status: 'won', match })?.said).toContain('It matched at $300.00');
    expect(said('name-buy', { status: 'matched', match })?.said).toContain('It matched at $300.00');
  });

  it('tells a deal that goes on from one that is stopped, and what an appeal came to', () => {
    expect(said('decision', { decision: 'proceed' })?.said).toContain('go on');
    expect(said('decision', { decision: 'stop' })?.said).toContain('nothing moves');
    const appeal = { overturned: false, verdict: 'FLAGGED', recordId: 'rec' };
    expect(said('appeal', appeal)?.said).toContain('the first record stands');
    expect(said('appeal', { ...appeal, overturned: true, verdict: 'CLEAN' })?.said).toContain('no longer');
    const disputed = said(
      'dispute',
      { disputeId: 'dsp_1', replyUntil: '2026-11-30T07:05:00.000Z' },
      { tokenId: '7' },
    );
    expect(disputed?.said).toMatch(/dsp_1.*reply until 2026-11-30 07:05 UTC/);
    expect(disputed?.ways).toEqual([['/certificates/7', 'See the certificate']]);
    expect(said('dispute-reply', {}, { tokenId: '7' })?.said).toContain('the operator decides');
    expect(said('session', { typedData: null }, { action: 'pause' })?.said).toMatch(/paused.*on its way/);
    const chose = (onFlagged: string, onInconclusive: string) =>
      said('settings', { onFlagged, onInconclusive })?.said;
    expect(chose('ask', 'stop')).toMatch(/FLAGGED deal waits.*not be judged is stopped/);
    expect(chose('stop', 'proceed')).toMatch(/FLAGGED deal is stopped.*not be judged goes on/);
    expect(chose('stop', 'ask')).toMatch(/not be judged waits for you/);
    expect(said('profile', {})).toBeNull();
  });

  it('says of agents that are stopped at once that the chain is not told yet, and leads to what tells it', () => {
    const done = said('pause-all', {
      paused: ['quay', 'desk'],
      refused: [{ handle: 'pier', reason: 'no.' }],
    });
    expect(done?.said).toMatch(/^Paused: quay, desk\..* the chain does not: .* pier was not: no\.$/);
    expect(done?.ways).toEqual([
      ['/desk/session?handle=quay&action=pause', 'Pause quay on chain'],
      ['/desk/session?handle=desk&action=pause', 'Pause desk on chain'],
    ]);
    expect(said('pause-all', { paused: [], refused: [] })?.said).toBe('No agent was trading.');
    expect(pauseAllWords()).toContain('the chain does not before I sign the pause of each');
  });
});
