import { saysBlockMissing } from './missing-block.ts';

/** A JSON-RPC 2.0 error object from a node. None of its members can be trusted. */
export interface Refused {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/**
 * What caused an `eth_call` to fail.
 * - `contract`: its code ran and failed. Every honest node answers so: it is an answer about the contract.
 * - `block`: the node lacks the block or its state.
 * - `node`: the node, or a gateway before it, did not run the code, which says nothing about the contract.
 * - `unknown`: the error does not tell. Ask the node for something else at the same block, and then for the same again.
 */
export type CallFault = 'contract' | 'block' | 'node' | 'unknown';

/** One wording of an error. `code` null matches any code. The wording is matched at the start of the message. */
interface Wording {
  readonly client: string;
  readonly code: readonly number[] | null;
  readonly says: RegExp;
}

/**
 * A revert carries text that the contract chose. So a wording counts only at the start of the message, and these are
 * tried before any other: a contract that reverts with "header not found" must not count as a node that lacks a header.
 */
const CONTRACT: readonly Wording[] = [
  { client: 'geth, reth, anvil, erigon', code: [3], says: /^/ },
  { client: 'geth, erigon, besu, nethermind', code: null, says: /^(?:vm )?execution reverted\b/i },
  { client: 'geth, erigon', code: null, says: /^invalid opcode\b/i },
  { client: 'geth, erigon, besu', code: null, says: /^out of gas\b/i },
  { client: 'geth', code: null, says: /^gas required exceeds allowance\b/i },
  { client: 'geth, erigon', code: null, says: /^stack (?:underflow|overflow|limit reached)\b/i },
  { client: 'geth, erigon, besu', code: null, says: /^invalid jump destination\b/i },
  { client: 'geth, erigon', code: null, says: /^(?:write protection|return data out of bounds)\b/i },
  { client: 'geth, erigon', code: null, says: /^(?:gas uint64 overflow|max call depth exceeded)\b/i },
  { client: 'geth, erigon', code: null, says: /^contract creation code storage out of gas\b/i },
  {
    client: 'geth, erigon',
    code: null,
    says: /^(?:max (?:init)?code size exceeded|invalid code: must not)\b/i,
  },
  {
    client: 'geth, erigon',
    code: null,
    says: /^(?:insufficient balance for transfer|contract address collision)\b/i,
  },
  { client: 'parity, nethermind', code: [-32015], says: /^/ },
  {
    client: 'nethermind',
    code: null,
    says: /^(?:BadInstruction|OutOfGas|Stack(?:Under|Over)flow|InvalidJumpDestination|AccessViolation|StaticCallViolation|PrecompileFailure|NotEnoughBalance|InvalidCode|Revert(?:ed)?)\b/,
  },
  { client: 'parity, nethermind', code: null, says: /^VM execution error\b/i },
  {
    client: 'besu',
    code: null,
    says: /^(?:INVALID_OPERATION|OUT_OF_GAS|INSUFFICIENT_GAS|STACK_(?:UNDER|OVER)FLOW|ILLEGAL_STATE_CHANGE|INVALID_JUMP_DESTINATION|TOO_MANY_STACK_ITEMS|OUT_OF_BOUNDS|PRECOMPILE_ERROR)\b/,
  },
  { client: 'besu', code: null, says: /^(?:Insufficient gas|Illegal state change|Too many stack items)\b/i },
  { client: 'besu', code: null, says: /^(?:Out of bounds|Code is too large|Precompile error)\b/i },
  { client: 'reth, anvil (revm)', code: null, says: /^EVM error\b:? ?[A-Z]/ },
  {
    client: 'reth, anvil (revm)',
    code: null,
    says: /^(?:EvmError: ?)?(?:Revert|OpcodeNotFound|InvalidFEOpcode|InvalidJump|NotActivated|Stack(?:Under|Over)flow|OutOfOffset|OutOfGas|OutOfFunds|CallTooDeep|CallNotAllowedInsideStatic|StateChangeDuringStaticCall|MemoryOOG|MemoryLimitOOG|PrecompileOOG|PrecompileError|InvalidOperandOOG|NonceOverflow|CreateCollision|CreateContractSizeLimit|CreateContractStartingWithEF|OverflowPayment)\b/,
  },
  { client: 'hardhat, ganache', code: null, says: /^VM Exception while processing transaction\b/i },
  { client: 'hardhat', code: null, says: /^Error: (?:VM Exception|Transaction reverted)\b/i },
  { client: 'hardhat', code: null, says: /^Transaction (?:reverted|ran out of gas)\b/i },
  { client: 'zksync', code: null, says: /^(?:Error function_selector|Bootloader-based tx failed)\b/i },
];

const NODE: readonly Wording[] = [
  // Codes of the JSON-RPC 2.0 standard and of EIP-1474.
  {
    client: 'JSON-RPC: parse error, invalid request, method, parameters',
    code: [-32700, -32600, -32601, -32602],
    says: /^/,
  },
  { client: 'EIP-1474: resource not found, resource unavailable', code: [-32001, -32002], says: /^/ },
  {
    client: 'EIP-1474: method not supported, limit exceeded, version',
    code: [-32004, -32005, -32006],
    says: /^/,
  },
  { client: 'gateways: over the rate limit', code: [-32016, -32029, -32090, -32097, 429], says: /^/ },
  {
    client: 'any: an error of its own',
    code: [-32603],
    says: /^(?:internal (?:json-rpc )?(?:server )?error|unknown error)?[.:!]?\s*$/i,
  },
  { client: 'geth: a handler that broke', code: null, says: /^method handler crashed\b/i },
  {
    client: 'gateways',
    code: null,
    says: /\b(?:rate ?limit|too many requests|request (?:count|limit|rate)|compute units|capacity|quota|throttl)/i,
  },
  {
    client: 'gateways',
    code: null,
    says: /\b(?:unauthori[sz]ed|forbidden|api key|upstream|bad gateway|backend|(?:service|server) (?:is )?(?:busy|unavailable|overloaded)|temporarily unavailable|try again)/i,
  },
  {
    client: 'any: on its way to the node',
    code: null,
    says: /\b(?:connection|socket|ECONN\w+|ETIMEDOUT|network error|shutting down|not (?:yet )?(?:ready|synced)|syncing)\b/i,
  },
  {
    client: 'any: what it keeps its state in',
    code: null,
    says: /\b(?:database|leveldb|rocksdb|pebble|mdbx|disk|i\/o|fork error|error sending request|failed to get)\b/i,
  },
];

/** A message may contain megabytes of a contract's own text; the wording is at its start. */
const LONGEST = 2_000;

/** Finds out what caused an `eth_call` to fail, for the common clients. Never throws, whatever the input. */
export function callFaultOf({ code, message, data }: Refused): CallFault {
  const said = (typeof message === 'string' ? message : '').slice(0, LONGEST).trim();
  const number = typeof code === 'number' ? code : null;
  if (matches(CONTRACT, number, said) || revertsWith(data)) return 'contract';
  if (saysBlockMissing(said)) return 'block';
  return matches(NODE, number, said) ? 'node' : 'unknown';
}

function matches(wordings: readonly Wording[], code: number | null, said: string): boolean {
  return wordings.some(
    (w) => (w.code === null || (code !== null && w.code.includes(code))) && w.says.test(said),
  );
}

/** Parity and Nethermind describe the error in `data`; other clients put the contract's revert data there. */
function revertsWith(data: unknown): boolean {
  let at = data;
  for (let depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth++) {
    const { data: inner, originalError } = at as { data?: unknown; originalError?: unknown };
    at = inner ?? originalError;
  }
  if (typeof at !== 'string') return false;
  return (
    /^0x(?:[0-9a-f]{8}|[0-9a-f]{64})/i.test(at) ||
    /^(?:Reverted\b|Bad (?:instruction|jump destination)\b|Out of (?:gas|stack)\b|Stack (?:under|over)flow\b)/i.test(
      at,
    )
  );
}
