import type { PrivateKeyAccount } from 'viem/accounts';
import type { Agent } from '../fixtures/story-stage.ts';
import { stockFetch } from '../fixtures/wallets/payers.ts';

/** The traders of a lot, as everybody knows them. */
export interface Known {
  readonly people: readonly { readonly owner: PrivateKeyAccount; readonly agent: Agent }[];
  readonly listingRef: string;
  readonly contract: string;
  readonly tokenId: string;
}

export interface Outside {
  /** The answers to somebody who asks for another's data, sends requests that must be refused, or pays nothing. */
  refused(known: Known): Promise<string[]>;
  /** The answers about a lot and its traders that anybody can buy for a cent. */
  paid(known: Known): Promise<string[]>;
  /** Everything about the market and its traders that is free to read, for people and for programs. */
  free(known: Known): Promise<string[]>;
}

interface Parts {
  readonly baseUrl: string;
  /** Somebody with money but without an agent. */
  readonly stranger: PrivateKeyAccount;
  readonly usdc: `0x${string}`;
  /** Renders an answer for the comparison. */
  readonly face: (path: string, response: Response) => Promise<string>;
}

const CATEGORY = 'digital-products';

/** Somebody from outside, with a key and a few cents. */
export function outside({ baseUrl, stranger, usdc, face }: Parts): Outside {
  const pay = stockFetch(stranger, usdc);
  const ask = async (path: string, init: RequestInit = {}, by = fetch): Promise<string> =>
    face(`${init.method ?? 'GET'} ${path}`, await by(`${baseUrl}${path}`, init));
  const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const inTurn = async (asks: readonly (() => Promise<string>)[]): Promise<string[]> => {
    const answers: string[] = [];
    for (const one of asks) answers.push(await one());
    return answers;
  };
  const facts = (known: Known, of: 0 | 1) => {
    const { listingRef, contract, tokenId } = known;
    const asset = { chainId: 1002, contract, tokenId };
    const side = of === 0 ? 'sell' : 'buy';
    return {
      lotRef: listingRef,
      seller: known.people[0]!.agent.handle,
      listingRef,
      asset,
      handle: known.people[of]!.agent.handle,
      // Nearly all of the account's money: if resting orders counted against it, the answer would reveal how much
      // rests.
      proposal: { side, category: CATEGORY, priceUsd: 97, listingRef },
      priceUsd: 97,
    };
  };
  const forged = `EIP191 nonce="${'0'.repeat(32)}", signature="0x${'1'.repeat(130)}"`;

  return {
    refused: (known) => {
      const { listingRef, contract, tokenId } = known;
      const asset = { chainId: 1002, contract, tokenId };
      const [seller, buyer] = known.people.map(({ agent }) => agent.handle);
      const order = { handle: buyer, side: 'buy', listingRef, category: CATEGORY, limitUsd: 20 };
      const listing = {
        asset,
        description: 'Mine',
        askUsd: 20,
        negotiable: false,
        category: CATEGORY,
        gate: 'deposit',
      };
      const pledge = { wallet: stranger.address, asset, listingRef: 'a-loan' };
      return inTurn([
        () => ask('/order', json(order)),
        () => ask('/order', json(order, { authorization: forged })),
        () => ask('/order', json({ ...order, category: 'real-world-assets' })),
        () => ask('/order', json({ ...order, limitUsd: 0 })),
        () => ask('/order', json({ ...order, side: 'sell', handle: seller })),
        () => ask(`/order/ord_${'0'.repeat(32)}/cancel`, json({ handle: buyer })),
        () => ask(`/agent/${seller}/assets`, json(listing)),
        () => ask('/pledge', json(pledge)),
        () => ask(`/deals/deal_${'0'.repeat(32)}/decision`, json({ handle: seller, decision: 'stop' })),
        ...['orders', 'deals', 'log', 'acts'].map((what) => () => ask(`/agent/${buyer}/${what}`)),
        () => ask(`/determination?address=${known.people[1]!.agent.account}&chainId=1002`),
        () => ask(`/determinations/tier2/${CATEGORY}`, json(facts(known, 1))),
        () => ask(`/determinations/tier3/${CATEGORY}`, json(facts(known, 0))),
        () => ask('/orders?limit=0'),
        () => ask('/orders?cursor=!'),
      ]);
    },
    paid: (known) =>
      inTurn(
        ([0, 1] as const).map(
          (of) => () => ask(`/determinations/tier2/${CATEGORY}`, json(facts(known, of)), pay),
        ),
      ),
    free: (known) => {
      const lists = [
        '/orders',
        '/matches',
        '/catalogue',
        '/close-calls',
        '/agents/directory',
        '/domains/listings',
      ];
      const filtered = ['/catalogue?negotiable=true', '/catalogue?maxUsd=30', '/catalogue?q=thing'];
      const agents = known.people.map(({ agent }) => `/agent/${agent.handle}`);
      const tokens = known.people.map(({ agent }) => `/metadata/1002/${agent.tokenId}`);
      const quotes = known.people.map(
        ({ owner }) => `/quote?category=${CATEGORY}&priceUsd=20&tier=tier2&wallet=${owner.address}`,
      );
      const paged = ['/orders?limit=1', '/matches?limit=1', '/catalogue?limit=1', '/close-calls?limit=1'];
      const programs = [
        ...tokens,
        ...tokens.map((t) => `${t}/portrait.svg`),
        ...quotes,
        ...filtered,
        ...paged,
      ];
      return inTurn([
        ...[...lists, ...agents, ...programs].map(
          (path) => () => ask(path, { headers: { accept: 'application/json' } }),
        ),
        ...[...lists, ...agents].map((path) => () => ask(path, { headers: { accept: 'text/html' } })),
      ]);
    },
  };
}
