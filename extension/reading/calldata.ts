import { decodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../../agents/canonical.ts';
import type { ReadingNotes } from './reading.ts';
import { amountWords, etherWords, untilWords } from './values.ts';

/** What is decoded: the ways by which tokens move, and by which others are allowed to move them. */
const KNOWN = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function increaseApproval(address spender, uint256 amount)',
  'function decreaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'function transferOwnership(address newOwner)',
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch((address to, uint256 value, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
]);

type Decoded = ReturnType<typeof decodeFunctionData<typeof KNOWN>>;

const low = (address: string): Hex => address.toLowerCase() as Hex;
const DEEPEST = 4;

/** Notes what call data does at `to`, as far as it is one of the known calls. */
export function readCalldata(notes: ReadingNotes, to: Hex, data: Hex, depth: number = 0): void {
  if (data.length < 10) {
    if (data !== '0x') notes.note(`It sends ${data} to ${to}, which is no call.`);
    return;
  }
  const decoded = tryDecode(data);
  if (decoded === null || depth > DEEPEST) {
    notes.warn(`It calls ${data.slice(0, 10)} at ${to}. What that does cannot be read from the call.`);
    return;
  }
  if (!readTokenCall(notes, to, decoded)) readNested(notes, to, decoded, depth);
}

function tryDecode(data: Hex): Decoded | null {
  try {
    return decodeFunctionData({ abi: KNOWN, data });
  } catch {
    return null;
  }
}

function readTokenCall(notes: ReadingNotes, to: Hex, { functionName, args }: Decoded): boolean {
  switch (functionName) {
    case 'approve':
      return args.length === 4 ? readPermit2Approval(notes, args) : readApproval(notes, to, args[0], args[1]);
    case 'increaseAllowance':
    case 'increaseApproval':
      return readApproval(notes, to, args[0], args[1]);
    case 'permit':
      return readApproval(notes, to, args[1], args[2]);
    case 'decreaseAllowance':
      notes.note(`${low(args[0])} may take ${amountWords(args[1])} less of ${to} than before.`);
      notes.about(low(args[0]));
      return true;
    case 'setApprovalForAll':
      if (args[1]) notes.allow(`${low(args[0])} may take every token of the collection ${to}, at any time.`);
      else notes.note(`${low(args[0])} may take tokens of ${to} no more.`);
      notes.about(low(args[0]));
      return true;
    case 'transfer':
      return readTransfer(notes, low(args[0]), `${amountWords(args[1])} of ${to}`);
    case 'transferFrom':
      return readTransfer(
        notes,
        low(args[1]),
        `${args[2]} of ${args.length === 4 ? low(args[3]) : to}, from ${low(args[0])},`,
      );
    case 'safeTransferFrom':
    case 'safeBatchTransferFrom':
      return readTransfer(
        notes,
        low(args[1]),
        `${String(args[2])} of the collection ${to}, from ${low(args[0])},`,
      );
    case 'transferWithAuthorization':
      return readTransfer(notes, low(args[1]), `${args[2]} of ${to}, from ${low(args[0])},`);
    case 'cancelAuthorization':
      notes.note(`It takes back a transfer of ${to} that ${low(args[0])} has signed.`);
      return true;
    case 'transferOwnership':
      notes.out(`The ownership of ${to} goes to ${low(args[0])}.`);
      notes.about(low(args[0]));
      return true;
    default:
      return false;
  }
}

function readTransfer(notes: ReadingNotes, to: Hex, what: string): true {
  notes.out(`${what} goes to ${to}.`);
  notes.about(to);
  return true;
}

function readApproval(notes: ReadingNotes, token: Hex, spender: string, amount: bigint): true {
  if (amount === 0n) notes.note(`${low(spender)} may take nothing of ${token} any more.`);
  else notes.allow(`${low(spender)} may take ${amountWords(amount)} of ${token}, at any time.`);
  notes.about(low(spender));
  return true;
}

function readPermit2Approval(notes: ReadingNotes, args: readonly [Hex, Hex, bigint, number]): true {
  const [token, spender, amount, expiration] = args;
  notes.allow(
    `${low(spender)} may take ${amountWords(amount)} of ${low(token)}${untilWords(BigInt(expiration))}, by Permit2.`,
  );
  notes.about(low(spender));
  return true;
}

function readNested(notes: ReadingNotes, to: Hex, decoded: Decoded, depth: number): void {
  switch (decoded.functionName) {
    case 'multicall':
      for (const call of decoded.args.at(-1) as readonly Hex[]) readCalldata(notes, to, call, depth + 1);
      return;
    case 'execute':
      readInner(notes, { to: decoded.args[0], value: decoded.args[1], data: decoded.args[2] }, depth);
      return;
    case 'executeBatch':
      for (const call of decoded.args[0]) readInner(notes, call, depth);
      return;
    case 'execTransaction': {
      const [target, value, data, operation, , , gasPrice, , refunded] = decoded.args;
      if (operation !== 0) notes.stop(`It lets the code of ${low(target)} act as ${to} (delegatecall).`);
      if (gasPrice > 0n) notes.warn(`It pays for gas besides, to ${low(refunded)}.`);
      readInner(notes, { to: target, value, data }, depth);
    }
  }
}

interface Inner {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

function readInner(notes: ReadingNotes, { to, value, data }: Inner, depth: number): void {
  if (value > 0n) {
    notes.out(`${etherWords(value)} goes to ${low(to)}.`);
    notes.about(low(to));
  }
  readCalldata(notes, low(to), data, depth + 1);
}
