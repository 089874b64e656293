import { endpointOf } from '../rpc/attempts.ts';
import { askExplorer } from './ask-explorer.ts';
import {
  type Explorer,
  ExplorerError,
  type ExplorerHistory,
  type ExplorerOptions,
  type ExplorerProfile,
  type ExplorerTransfer,
  MOST_ROWS,
  MOST_TURNS,
} from './explorer.ts';
import { addressOf, hashOf, malformed, member, numberOf, type Row, rowOf, rowsOf } from './rows.ts';

const PAGE_ROWS = 1_000;
/** A list, and the one token that it is narrowed to. */
type Asked =
  | { readonly action: 'txlist' | 'txlistinternal'; readonly token?: undefined }
  | { readonly action: 'tokentx'; readonly token: string };

/**
 * An explorer that answers as Etherscan's API v2 does: `{ status, message, result }`, errors with HTTP 200, at most
 * 10,000 rows of one list. Blockscout and others serve this shape, too. https://docs.etherscan.io/etherscan-v2
 */
export function etherscan(options: ExplorerOptions): Explorer {
  const { url, chainId } = options;

  async function ask(query: Readonly<Record<string, string>>): Promise<Row> {
    const to = new URL(url);
    if (!to.searchParams.has('chainid')) to.searchParams.set('chainid', String(chainId));
    for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
    const body = await askExplorer(to, options, saysLimit);
    if (body === null) throw new ExplorerError('down', 'the explorer answers HTTP 404');
    return rowOf(body, 'an answer');
  }

  async function page(asked: Asked, address: string, upTo: bigint, number: number, sort: 'asc' | 'desc') {
    const { action, token } = asked;
    const answer = await ask({
      ...{ module: 'account', action, address, startblock: '0', endblock: upTo.toString() },
      ...(token === undefined ? {} : { contractaddress: token }),
      ...{ page: String(number), offset: String(PAGE_ROWS), sort },
    });
    return resultOf(answer);
  }

  /** The newest rows up to a block, as many as one question has. */
  async function newest(asked: Asked, address: string, upTo: bigint) {
    const rows: Row[] = [];
    let more = true;
    for (let number = 1; more && number <= MOST_ROWS / PAGE_ROWS; number++) {
      const next = await page(asked, address, upTo, number, 'desc');
      rows.push(...next);
      more = next.length >= PAGE_ROWS;
    }
    return { rows, more };
  }

  /** The newest rows of one list; of a list that is cut off, the oldest page too, because it tells the first funder. */
  async function listed(asked: Asked, address: string, upTo: bigint): Promise<ExplorerHistory> {
    const moved = (all: readonly Row[]) => all.flatMap((row) => transferOf(asked, row, address, upTo));
    let { rows, more } = await newest(asked, address, upTo);
    const turns = asked.token === undefined ? 1 : MOST_TURNS;
    for (let turn = 1; more && turn < turns && moved(rows).length < MOST_ROWS; turn++) {
      const last = numberOf(rows.at(-1)!.blockNumber);
      const next = await newest(asked, address, last);
      // The rows of its last block may go on in the next question, which has them all.
      rows = [...rows.filter((row) => numberOf(row.blockNumber) > last), ...next.rows];
      more = next.more;
    }
    const oldest = more ? await page(asked, address, upTo, 1, 'asc') : [];
    // None is taken twice.
    const below = oldest.filter((row) => numberOf(row.blockNumber) < numberOf(rows.at(-1)?.blockNumber));
    const transfers = moved([...rows, ...below]);
    const sent = asked.action === 'txlist' ? rows.filter((row) => isSent(row, address, upTo)).length : 0;
    return { transfers, cutOff: more, fromStart: true, sent };
  }

  return {
    chainId,
    endpoint: endpointOf(url),
    async transfers(address, upTo, tokens) {
      const asked: Asked[] = [
        { action: 'txlist' },
        { action: 'txlistinternal' },
        ...tokens.map((token): Asked => ({ action: 'tokentx', token })),
      ];
      const lists: ExplorerHistory[] = [];
      // One after another, because free keys allow a few requests a second.
      for (const one of asked) lists.push(await listed(one, address.toLowerCase(), upTo));
      return {
        transfers: newestFirst(lists.flatMap((l) => l.transfers)),
        cutOff: lists.some((l) => l.cutOff),
        fromStart: true,
        sent: lists.reduce((sum, l) => sum + l.sent, 0),
      };
    },
    async profile(address): Promise<ExplorerProfile> {
      const answer = await ask({
        ...{ module: 'contract', action: 'getcontractcreation', contractaddresses: address.toLowerCase() },
      });
      if (answer.status === '0' && /^no data found/i.test(String(answer.message)))
        return { creator: null, labels: [] };
      const [row] = resultOf(answer);
      if (row === undefined) return { creator: null, labels: [] };
      if (addressOf(row.contractAddress) !== address.toLowerCase())
        throw malformed('the contract asked about');
      return {
        creator: { address: addressOf(row.contractCreator), tx: hashOf(row.txHash) },
        labels: [],
      };
    },
  };
}

function saysLimit(body: unknown): boolean {
  const { status, message, result } = (body ?? {}) as Row;
  return status === '0' && /\brate limit|too many requests/i.test(`${String(message)} ${String(result)}`);
}

/** The rows of an answer. @throws ExplorerError refused for an error inside it */
function resultOf({ status, message, result }: Row): readonly Row[] {
  if (status === '1') return rowsOf(result, 'rows');
  if (Array.isArray(result) && result.length === 0 && /^no .*found/i.test(String(message))) return [];
  const why = typeof result === 'string' ? result : message;
  throw new ExplorerError('refused', `the explorer answers: ${String(why)}`);
}

/** @returns none for what moved no money: of nothing, a failed transaction, one above the block */
function transferOf(asked: Asked, row: Row, address: string, upTo: bigint): ExplorerTransfer[] {
  const block = numberOf(row.blockNumber);
  const from = addressOf(row.from);
  // What creates a contract names it in another member.
  const to = addressOf(row.to === '' || row.to === null ? member(row, 'contractAddress') : row.to);
  if (from !== address && to !== address) throw malformed('a row about the address asked about');
  const token = asked.token === undefined ? null : addressOf(row.contractAddress);
  if (token !== (asked.token?.toLowerCase() ?? null)) throw malformed('a row about the token asked about');
  if (block > upTo || (token === null && row.isError === '1')) return [];
  const amount = numberOf(row.value);
  if (amount === 0n) return [];
  return [{ tx: hashOf(row.hash), block, timestamp: numberOf(row.timeStamp), token, from, to, amount }];
}

function isSent(row: Row, address: string, upTo: bigint): boolean {
  return addressOf(row.from) === address && numberOf(row.blockNumber) <= upTo;
}

function newestFirst(transfers: readonly ExplorerTransfer[]): ExplorerTransfer[] {
  return [...transfers].sort((a, b) => (a.block === b.block ? 0 : a.block > b.block ? -1 : 1));
}
