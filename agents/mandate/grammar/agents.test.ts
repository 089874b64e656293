import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** Agents are traded here, and trade with one another: only an agent that is spoken to is no part of the mandate. */
describe('agents in a mandate', () => {
  it.each([
    ...[
      'Buy agents',
      'Buy an agent',
      'Buy agent',
      'Only agents',
      'Buy only agents',
      'Buy nothing but agents',
    ],
    ...[
      'Buy anything but agents',
      'Buy everything but agents',
      'Everything but agents',
      'Buy anything save agents',
    ],
    ...['Buy cars and agents', 'Buy agents and cars', 'Buy cars or agents', 'Buy cars, agents and wine'],
    ...['Buy cars from agents', 'Buy cars only from agents', 'Sell my agent', 'Trade agents', 'Agents'],
    ...['Buy cars and an agent', 'Goods: an agent', 'Buy cars from an agent', 'Buy an agent, sell cars'],
    ...[
      'Buy cars, deal only with my agent',
      'Trade cars with my agent',
      'Anything but an agent',
      'Only an agent',
    ],
    ...['An agent below market', 'An agent', 'An agent from alice.eth', 'An agent on Base', 'Wine; an agent'],
    ...['Buy wine. Also an agent', 'Buy wine. An agent is fine', 'Wine and agent', 'Buy wine and the agent'],
    ...['Agent below market', 'My agent from alice.eth', 'Buy wine; agent', 'Buy wine. Agent too'],
    ...['Buy wine. An agent is allowed', 'Wine; an agent, buy art', 'The agent on Base'],
    ...[
      'The agent on Base, buy art',
      'Agent from alice.eth, 3 deals a day',
      'My agent below market, buy art',
    ],
    ...['The agent from alice.eth in one deal'],
    ...['Buy digital products, no agents', 'Buy anything; agents: no', 'Never buy agents. Buy anything else'],
  ])('are asked about as goods and as counterparties: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ...[
      'Agent: buy cars',
      'Agent, buy cars',
      'My agent may buy cars',
      'The agent buys cars',
      'Agents may buy cars',
    ],
    ...['Trading agent: buy cars', 'We want that the agent buys cars'],
    ...['As an agent, buy cars', 'You are an agent. Buy cars', 'You are an agent that buys cars'],
    ...[
      'An agent to buy cars',
      'An agent for buying cars',
      'An agent for cars',
      'Make an agent that buys cars',
    ],
    ...['One agent to buy cars', 'Buy cars with my agent', 'Spend with the agent on cars'],
    ...['An agent is allowed to buy cars', 'An agent mandate: buy cars'],
    ...['The agent at most spends 10000 USDC per deal and buys cars', 'The agent from now on buys cars'],
    ...[
      'The agent on Base may buy cars',
      'My agent on my behalf buys cars',
      'The agent in my name may buy cars',
    ],
    ...['Buy cars. The agent in no case deals with x.eth', 'The agent with this mandate buys cars'],
    ...['Buy cars. The agent at no time trades with x.eth', 'The agent from today on buys cars'],
  ])('are passed over where they are spoken to or act: %s', (text) => {
    expect(read(text)).toMatchObject({
      mandate: { side: 'buy', categories_allow: ['real-world-assets'], cap_per_deal: '10000' },
    });
  });

  it.each([
    'Under no circumstances may the agent buy cars. Buy anything',
    'Never may my agent buy cars. Buy anything',
  ])('are passed over behind a refusal of what they do: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { categories_deny: ['real-world-assets'] } });
  });
});

describe('a verb, a label or an article without goods', () => {
  it.each([
    ...[
      'Buy a card',
      'Buy card',
      'Buy a pack of cards',
      'Buy a permit',
      'Buy a meal',
      'Buy copies',
      'Buy pairs',
    ],
    ...['Buy a bot', 'Buy a mandate', 'Buy permission', 'Buy the side'],
    ...[
      'A bot below market',
      'A card',
      'A meal from alice.eth',
      'A pack below market',
      'A permission on Base',
    ],
    ...['Goods: a bot', 'Goods: bot', 'Wanted: agent'],
  ])('does not allow everything where a noun stood behind it: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each(['Buy anything', 'Buy lots', 'Buy for me anything at all', 'Buy any item'])(
    'allows everything where that is said: %s',
    (text) => {
      expect(read(text)).toMatchObject({ decision: 'ACCEPT' });
      expect(read(text)).not.toHaveProperty('mandate.categories_allow');
    },
  );
});
