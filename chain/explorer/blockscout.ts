import { endpointOf } from '../rpc/attempts.ts';
import { askExplorer } from './ask-explorer.ts';
import {
  type Explorer,
  ExplorerError,
  type ExplorerHistory,
  type ExplorerOptions,
  type ExplorerTransfer,
  MOST_TURNS,
} from './explorer.ts';
import { addressOf, hashOf, malformed, member, numberOf, type Row, rowOf, rowsOf } from './rows.ts';

type List = 'transactions' | 'internal-transactions' | 'token-transfers';
/** A list, and what narrows it. */
interface Asked {
  readonly list: List;
  readonly only?: { readonly type: 'ERC-20'; readonly token: string };
}
/** Of fifty rows each. Each page is found by the last row of the one before, so they are asked one after another. */
const MOST_PAGES = 20;
const PAGE_ROWS = 50;

/**
 * An explorer that answers as Blockscout's REST API does: `{ items, next_page_params }` under `/api/v2`.
 * https://docs.blockscout.com/devs/apis/rest
 */
export function blockscout(options: ExplorerOptions): Explorer {
  const { url, chainId } = options;

  function at(path: string, query: Row = {}): URL {
    const to = new URL(url);
    to.pathname = [...to.pathname.split('/').filter(Boolean), path].join('/');
    for (const [name, value] of Object.entries(query))
      if (value !== null) to.searchParams.set(name, String(value));
    return to;
  }

  async function listed({ list, only }: Asked, address: string, upTo: bigint): Promise<ExplorerHistory> {
    const rows: Row[] = [];
    const transfers: ExplorerTransfer[] = [];
    let next: Row | null = {};
    const isFull = (): boolean => transfers.length >= MOST_PAGES * PAGE_ROWS;
    const most = only === undefined ? MOST_PAGES : MOST_PAGES * MOST_TURNS;
    for (let page = 0; next !== null && !isFull() && page < most; page++) {
      // The next page is named without what narrows the list.
      const body = await askExplorer(at(`addresses/${address}/${list}`, { ...next, ...only }), options);
      // The explorer has never seen the address, or the token.
      if (body === null) return { transfers: [], cutOff: false, fromStart: true, sent: 0 };
      const answer = rowOf(body, 'an answer');
      const items = rowsOf(answer.items, 'rows');
      rows.push(...items);
      transfers.push(...items.flatMap((row) => transferOf({ list, only }, row, address, upTo)));
      const params = answer.next_page_params;
      next = params === null || params === undefined ? null : rowOf(params, 'the next page');
    }
    return {
      transfers,
      ...{ cutOff: next !== null, fromStart: next === null },
      sent: list === 'transactions' ? rows.filter((row) => isSent(row, address, upTo)).length : 0,
    };
  }

  return {
    chainId,
    endpoint: endpointOf(url),
    async transfers(address, upTo, tokens) {
      const asked: Asked[] = [
        { list: 'transactions' },
        { list: 'internal-transactions' },
        ...tokens.map((token): Asked => ({ list: 'token-transfers', only: { type: 'ERC-20', token } })),
      ];
      const lists: ExplorerHistory[] = [];
      for (const one of asked) lists.push(await listed(one, address.toLowerCase(), upTo));
      const transfers = lists.flatMap((l) => l.transfers);
      transfers.sort((a, b) => (a.block === b.block ? 0 : a.block > b.block ? -1 : 1));
      const cutOff = lists.some((l) => l.cutOff);
      return { transfers, cutOff, fromStart: !cutOff, sent: lists.reduce((sum, l) => sum + l.sent, 0) };
    },
    async profile(address) {
      const body = await askExplorer(at(`addresses/${address.toLowerCase()}`), options);
      if (body === null) return { creator: null, labels: [] };
      const row = rowOf(body, 'an address');
      if (addressOf(row.hash) !== address.toLowerCase()) throw malformed('the address asked about');
      const creator = member(row, 'creator_address_hash');
      const tx = member(row, 'creation_transaction_hash', 'creation_tx_hash');
      return {
        creator:
          creator === undefined
            ? null
            : { address: addressOf(creator), tx: tx === undefined ? null : hashOf(tx) },
        labels: labelsOf(row),
      };
    },
  };
}

function labelsOf(row: Row): string[] {
  const metadata = row.metadata as Row | null | undefined;
  const tags = [row.public_tags, metadata?.tags].flatMap((list) => (Array.isArray(list) ? list : []));
  const names = tags.map((tag) => member(tag as Row, 'display_name', 'name', 'label'));
  const flagged = row.is_scam === true ? ['marked as a scam by the explorer'] : [];
  const texts = [row.name, ...names].filter((t): t is string => typeof t === 'string' && t !== '');
  return [...new Set([...flagged, ...texts.map((t) => t.slice(0, 80))])].slice(0, 10);
}

/** @returns none for what moved no money: of nothing, a failed transaction, one that waits, one above the block */
function transferOf({ list, only }: Asked, row: Row, address: string, upTo: bigint): ExplorerTransfer[] {
  const number = member(row, 'block_number', 'block');
  const failed = list === 'transactions' ? row.status !== 'ok' : row.success === false;
  if (number === undefined || failed) return [];
  const block = numberOf(number);
  const from = partyOf(row.from);
  const to = partyOf(member(row, 'to', 'created_contract'));
  if (from !== address && to !== address) throw malformed('a row about the address asked about');
  const isToken = list === 'token-transfers';
  const token = isToken ? addressOf(member(rowOf(row.token, 'a token'), 'address_hash', 'address')) : null;
  if (token !== (only?.token.toLowerCase() ?? null)) throw malformed('a row about the token asked about');
  const amount = numberOf(isToken ? rowOf(row.total, 'an amount').value : row.value);
  if (block > upTo || amount === 0n) return [];
  const tx = hashOf(member(row, 'transaction_hash', 'tx_hash', 'hash'));
  return [{ tx, block, timestamp: secondsOf(row.timestamp), token, from, to, amount }];
}

/** One that waits has no block yet. */
function isSent(row: Row, address: string, upTo: bigint): boolean {
  const block = member(row, 'block_number', 'block');
  return block !== undefined && numberOf(block) <= upTo && partyOf(row.from) === address;
}

function partyOf(value: unknown): string {
  return addressOf(rowOf(value, 'a party').hash);
}

function secondsOf(value: unknown): bigint {
  const at = Date.parse(String(value));
  if (Number.isNaN(at))
    throw new ExplorerError('malformed', 'the explorer answers another form where a time belongs');
  return BigInt(Math.floor(at / 1000));
}
