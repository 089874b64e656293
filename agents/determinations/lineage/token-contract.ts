import { keccak } from '../../canonical.ts';
import { type Condition, type Constant, readCalls, readCondition, type ShapeCall } from './shape-call.ts';

/**
 * What a contract that holds, or stands for, tokens of others is: one that lends against them, one that issues a token of
 * its own for each that it holds, here (`wrapper`) or on another chain (`bridge`), or one that issued its tokens anew for
 * those of an older contract (`remint`).
 */
export const CONTRACT_ROLES = ['lender', 'wrapper', 'bridge', 'remint'] as const;
export type ContractRole = (typeof CONTRACT_ROLES)[number];

/** How the event of a loan's begin names the loan: its topic, and the word of it that is the loan. */
export interface LoanStart {
  readonly topic: `0x${string}`;
  readonly place: 'topic' | 'data';
  readonly index: number;
}

/** One row of the table of contracts, as it is read. Addresses in lower case. */
export interface TokenContract {
  readonly role: ContractRole;
  readonly chainId: number;
  /** Of a lender: who holds the collateral. Of the others: the contract of the twins. */
  readonly contract: string;
  /** Who answers the calls, and tells of loans. */
  readonly at: string;
  readonly calls: readonly ShapeCall[];
  /** Of a lender whose calls need the loan first. */
  readonly started: LoanStart | null;
  /** Of a lender: all of them hold while the loan is open. */
  readonly open: readonly Condition[];
  /** Of a twin: the contract of the originals, where it has only one. */
  readonly underlying: string | null;
  readonly underlyingChainId: number;
  /** Of a twin: who holds the originals, on their chain. */
  readonly locker: string;
  /** Of a twin: how its id is told of an original; empty: it is the same id. */
  readonly twin: readonly ShapeCall[];
}

type Fields = Readonly<Record<string, string>>;

const MOST_CHAIN_ID = 2 ** 53;

/** The key of a row: a contract may lend and wrap. @throws Error saying what is wrong with the row */
export function tokenContractKey(fields: Fields): string {
  const { role, chainId, contract } = readTokenContract(fields);
  return `${role}:eip155:${chainId}/${contract}`;
}

/**
 * Reads a row of the table. Its calls are written `name(type value,…)(type name,…)`, several with `;` between them. A
 * value is a number, an address, or the name of something known: `collection` and `tokenId` of the thing, `holder`, `loan`
 * of an event, and the results of calls before. A result named `collection` or `tokenId` must be that of the thing.
 * @throws Error saying what is wrong with the row
 */
export function readTokenContract(fields: Fields): TokenContract {
  const role = CONTRACT_ROLES.find((r) => r === fields.role);
  if (role === undefined) throw new Error(`role must be one of ${CONTRACT_ROLES.join(', ')}`);
  const contract = addressOf(fields.contract ?? fields.key, 'contract');
  const chainId = chainOf(fields.chainid, 'chainId');
  const at = fields.at === undefined || fields.at === '' ? contract : addressOf(fields.at, 'at');
  const head = { role, chainId, contract, at };
  return role === 'lender' ? { ...head, ...lenderOf(fields, head) } : { ...head, ...twinOf(fields, head) };
}

function lenderOf(
  fields: Fields,
  { chainId, contract }: Pick<TokenContract, 'chainId' | 'contract'>,
): Omit<TokenContract, 'role' | 'chainId' | 'contract' | 'at'> {
  const started = fields.started ? startOf(fields.started, fields.loanat) : null;
  const known: Constant[] = ['collection', 'tokenId', 'holder', ...(started === null ? [] : ['loan'])];
  const { calls, names } = readCalls(fields.calls ?? '', known);
  if (calls.length === 0) throw new Error('calls must say how the contract tells of a loan');
  const open = (fields.open ?? '')
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => readCondition(text, names));
  if (open.length === 0) throw new Error('open must say how the answer tells an open loan, such as loan!=0');
  if (!names.includes('loan'))
    throw new Error('a call must tell the loan, or started and loanAt where it is');
  return {
    calls,
    started,
    open,
    ...{ underlying: null, underlyingChainId: chainId, locker: contract, twin: [] },
  };
}

function twinOf(
  fields: Fields,
  { chainId, contract }: Pick<TokenContract, 'chainId' | 'contract'>,
): Omit<TokenContract, 'role' | 'chainId' | 'contract' | 'at'> {
  const { calls, names } = readCalls(fields.calls ?? '', ['collection', 'tokenId', 'holder']);
  const underlying = fields.underlying ? addressOf(fields.underlying, 'underlying') : null;
  if (underlying === null && !names.includes('underlying'))
    throw new Error('underlying must be a contract, or the result of a call');
  const { calls: twin, names: told } = readCalls(fields.twin ?? '', ['collection', 'tokenId']);
  if (twin.length > 0 && !told.includes('twinId')) throw new Error('a call of twin must tell twinId');
  return {
    ...{ calls, started: null, open: [], underlying, twin },
    underlyingChainId: fields.underlyingchainid
      ? chainOf(fields.underlyingchainid, 'underlyingChainId')
      : chainId,
    locker: fields.locker ? addressOf(fields.locker, 'locker') : contract,
  };
}

function startOf(signature: string, place: string | undefined): LoanStart {
  const text = signature.replaceAll(/\s/g, '');
  if (!/^[A-Za-z_]\w*\([\w,()[\]]*\)$/.test(text))
    throw new Error(
      'started must be the signature of an event, such as LoanStarted(uint256,address,address)',
    );
  const [, kind, index] = /^(topic|data)([0-9])$/.exec(place ?? '') ?? [];
  if (kind === undefined || (kind === 'topic' && !['1', '2', '3'].includes(index!)))
    throw new Error('loanAt must be topic1 to topic3, or data0 to data9');
  return { topic: keccak(text), place: kind as LoanStart['place'], index: Number(index) };
}

/** @throws Error unless it is the number of a chain, in decimal */
export function chainOf(text: string | undefined, name: string): number {
  const id = Number(text);
  if (text === undefined || !/^[1-9][0-9]{0,15}$/.test(text) || id >= MOST_CHAIN_ID)
    throw new Error(`${name} must be the number of a chain`);
  return id;
}

function addressOf(text: string | undefined, name: string): string {
  if (text === undefined || !/^0x[0-9a-fA-F]{40}$/.test(text))
    throw new Error(`${name} must be 0x and 40 hex digits`);
  return text.toLowerCase();
}
