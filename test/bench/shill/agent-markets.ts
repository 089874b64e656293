import { dice } from './shill-plant.ts';

/** One lot with who bid on it, by minutes since the market opened. */
export interface MarketLot {
  readonly lot: string;
  readonly seller: string;
  readonly at: number;
  readonly bids: { bidder: string; minute: number }[];
  winner: string | null;
}

export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly usd: number;
}

/** A market of agents that bid by themselves, with the money that came to everybody. */
export interface AgentMarket {
  readonly lots: MarketLot[];
  readonly payments: Payment[];
  readonly sellers: readonly string[];
  readonly agents: readonly Agent[];
  readonly roll: () => number;
}

/** An honest agent: how often it looks, what it likes, and what a thing is worth to it, as a share of its value. */
export interface Agent {
  readonly name: string;
  readonly looks: number;
  readonly likes: number;
  readonly taste: number;
  /** The sellers at whom it nearly always bids; null for those who look at everything. */
  readonly home: readonly string[] | null;
  /** The chances that it bids there, and at anybody else's. */
  readonly keeps?: { readonly there: number; readonly elsewhere: number };
}

/** Honest populations, by their names. */
export const POPULATIONS = [
  'one seller',
  'two sellers',
  'three sellers',
  'ten sellers',
  'repeat collectors',
  'two friends',
  'a market maker',
  'a small exchange',
  'one deposit address',
  'a style that three sell',
  'shops with steady customers',
  'shops as they grow',
  'customers of two houses',
] as const;
export type Population = (typeof POPULATIONS)[number];

const SELLERS: Readonly<Record<Population, number>> = {
  'one seller': 1,
  'two sellers': 2,
  'three sellers': 3,
  'ten sellers': 10,
  'repeat collectors': 10,
  'two friends': 10,
  'a market maker': 10,
  'a small exchange': 10,
  'one deposit address': 10,
  'a style that three sell': 10,
  'shops with steady customers': 10,
  'shops as they grow': 10,
  'customers of two houses': 10,
};
const AGENTS = 40;
const DAYS = 60;
/** So many lots were sold in shops that grow. */
const GROWN = { least: 20, most: 250 } as const;
export const DAY = 1_440;
/** The lowest share of the value at which a seller sells. */
const FLOOR = 0.95;
/** How customers of a house bid there and elsewhere: those who hardly look elsewhere, and those who never do. */
const KEEPING = { there: 0.85, elsewhere: 0.02 } as const;
const LOYAL = { there: 0.85, elsewhere: 0 } as const;
const STEADY = { there: 0.5, elsewhere: 0.03 } as const;

/** @param seed the same seed gives the same market */
export function agentMarket(population: Population, seed: number): AgentMarket {
  const roll = dice(seed * 7_919 + POPULATIONS.indexOf(population) * 104_729);
  const sellers = Array.from({ length: SELLERS[population] }, (_, i) => `seller-${i}`);
  const agents = Array.from({ length: AGENTS }, (_, i) => agentOf(population, sellers, i, roll));
  const payments = paymentsOf(population, [...sellers, ...agents.map((a) => a.name)], roll);
  if (population === 'two friends')
    for (const [i, seller] of sellers.entries())
      payments.push({ from: seller, to: `agent-${i}`, usd: 60 + 80 * roll() });
  const lots =
    population === 'shops as they grow' ? grownLots(sellers, agents, roll) : soldLots(sellers, agents, roll);
  return { lots, payments, sellers: sellers.filter((s) => lots.some((l) => l.seller === s)), agents, roll };
}

function soldLots(sellers: readonly string[], agents: readonly Agent[], roll: () => number): MarketLot[] {
  return sellers.flatMap((seller) =>
    Array.from({ length: 6 + Math.floor(roll() * 9) }, (_, n): MarketLot => {
      const at = roll() * DAYS * DAY;
      const bids = agents
        .filter((agent) => roll() < chanceOf(agent, seller))
        .map((agent) => ({
          bidder: agent.name,
          minute: at + roll() ** 2 * DAY,
          worth: agent.taste * (0.95 + 0.1 * roll()),
        }))
        .sort((a, b) => a.minute - b.minute);
      const best = bids.reduce((top, bid) => Math.max(top, bid.worth), 0);
      const winner = best >= FLOOR ? bids.find((bid) => bid.worth === best)!.bidder : null;
      return {
        lot: `${seller}/${n}`,
        seller,
        at,
        bids: bids.map(({ bidder, minute }) => ({ bidder, minute })),
        winner,
      };
    }),
  );
}

/**
 * Shops where whoever bids enough first has the lot, so that those bid who bid too little and one who wins; at some time
 * between their first lots and their twenty-fifth or so. As `npm run simulate market` has them.
 */
function grownLots(sellers: readonly string[], agents: readonly Agent[], roll: () => number): MarketLot[] {
  const many = Math.ceil(GROWN.least + (GROWN.most - GROWN.least) * roll());
  return Array.from({ length: many }, (_, n): MarketLot => {
    const seller = sellers[Math.floor(roll() * sellers.length)]!;
    const at = (n / many) * DAYS * DAY;
    const comers = agents
      .filter((agent) => roll() < chanceOf(agent, seller))
      .map((agent) => ({ agent, turn: roll() }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ agent }) => agent)
      // Some have two agents, of which one bids.
      .filter((agent, i, all) => all.findIndex(({ name }) => name === agent.name) === i);
    // Mostly those who bid too little come first.
    const inTurn = roll() < 0.3 ? comers : [...comers].sort((a, b) => enough(a) - enough(b));
    const first = inTurn.findIndex((agent) => enough(agent) === 1);
    // If none does, the one who would give the most comes back and does.
    const best = [...inTurn].sort((a, b) => b.taste - a.taste).slice(0, 1);
    const bidders =
      first < 0 ? [...inTurn.filter((agent) => agent !== best[0]), ...best] : inTurn.slice(0, first + 1);
    return {
      ...{ lot: `${seller}/${n}`, seller, at },
      bids: bidders.map(({ name }, i) => ({ bidder: name, minute: at + 5 * (i + roll()) })),
      winner: bidders.at(-1)?.name ?? null,
    };
  });
}

function enough({ taste }: Agent): 0 | 1 {
  return taste < FLOOR ? 0 : 1;
}

/** The chance that an honest agent bids on a lot of this seller. */
export function chanceOf({ looks, likes, home, keeps = KEEPING }: Agent, seller: string): number {
  if (home === null) return looks * likes;
  return home.includes(seller) ? keeps.there : keeps.elsewhere;
}

function agentOf(population: Population, sellers: readonly string[], i: number, roll: () => number): Agent {
  const between = (low: number, high: number): number => low + (high - low) * roll();
  const name = `agent-${i}`;
  const home = [sellers[i % sellers.length]!];
  if (population === 'repeat collectors' && i % 3 === 0)
    return { name, looks: 1, likes: 1, taste: between(0.85, 1.08), home };
  if (population === 'a style that three sell' && i % 4 === 0)
    return { name, looks: 1, likes: 1, taste: between(0.85, 1.08), home: sellers.slice(0, 3) };
  if (population === 'two friends' && i < sellers.length)
    return { name, looks: 1, likes: 1, taste: between(0.9, 1.06), home };
  if (population === 'customers of two houses' && i % 2 === 0) {
    const [one, other] = [Math.floor(roll() * sellers.length), Math.floor(roll() * (sellers.length - 1))];
    const two = [sellers[one]!, sellers[other < one ? other : other + 1]!];
    return { name, looks: 1, likes: 1, taste: between(0.85, 1.08), home: two };
  }
  if (population === 'shops with steady customers' && i % 4 !== 0) {
    const keeps = { there: between(0.5, 0.9), elsewhere: 0.03 };
    return { name, looks: 1, likes: 1, taste: between(0.85, 1.08), home, keeps };
  }
  if (population === 'shops as they grow') return customerOf(sellers, i, { roll, between });
  if (population === 'a market maker' && i === 0) return { name, looks: 1, likes: 1, taste: 0.9, home: null };
  return { name, looks: between(0.3, 1), likes: between(0.1, 0.5), taste: between(0.8, 1.08), home: null };
}

/**
 * Of five customers of shops one keeps to a house that it chose, two hardly look elsewhere, and two bid everywhere; of six
 * one is the second agent of another.
 */
function customerOf(
  sellers: readonly string[],
  i: number,
  { roll, between }: { readonly roll: () => number; readonly between: (low: number, high: number) => number },
): Agent {
  const name = `agent-${i % 6 === 5 ? i - 1 : i}`;
  const loyal = i % 5 === 0;
  const home = [sellers[loyal ? Math.floor(roll() * sellers.length) : i % sellers.length]!];
  if (loyal) {
    const taste = roll() < 0.5 ? between(0.8, 0.93) : between(0.95, 1.05);
    return { name, looks: 1, likes: 1, taste, home, keeps: LOYAL };
  }
  if (i % 5 < 3) return { name, looks: 1, likes: 1, taste: between(0.95, 1.08), home, keeps: STEADY };
  return { name, looks: 1, likes: 0.6, taste: between(0.8, 1.06), home: null };
}

/** Everybody is paid by an exchange through a wallet of his own; people pay into the exchange as well. */
function paymentsOf(population: Population, names: readonly string[], roll: () => number): Payment[] {
  const small = population === 'a small exchange';
  const payments: Payment[] = [];
  for (let i = 0; i < (small ? 10 : 60); i++)
    payments.push({ from: `customer-${i}`, to: `deposit-${i % 7}`, usd: 100 + 900 * roll() });
  for (let i = 0; i < (small ? 10 : 60); i++)
    payments.push({
      from: small ? `customer-${i}` : `deposit-${i % 12}`,
      to: 'exchange',
      usd: 100 + 900 * roll(),
    });
  for (const name of names) {
    payments.push({ from: 'exchange', to: `wallet-of-${name}`, usd: 800 + 4_000 * roll() });
    payments.push({ from: `wallet-of-${name}`, to: name, usd: 500 + 2_000 * roll() });
    // All have an account at one custodian, which keeps one address for what they send in, and pays from another.
    if (population === 'one deposit address')
      payments.push(
        { from: name, to: 'deposit-address', usd: 300 + 900 * roll() },
        { from: 'deposit-address', to: 'custodian', usd: 300 },
        { from: 'custodian', to: name, usd: 1_000 + 2_000 * roll() },
      );
    if (roll() < 0.2)
      payments.push({ from: names[Math.floor(roll() * names.length)]!, to: name, usd: 5 + 60 * roll() });
  }
  return payments;
}
