import {
  type Address,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  getI64Decoder,
  getStructDecoder,
  getU64Decoder,
  isOffCurveAddress,
  isSolanaError,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  address as toAddress,
} from '@solana/kit';
import { attempts, both, endpointOf } from '../attempts.ts';
import { ReaderError } from '../reader.ts';
import {
  decodedHolding,
  decodedShape,
  type EncodedAccount,
  programDataKey,
  tokenKey,
} from './kit-accounts.ts';
import {
  CATCHING_UP,
  CLUSTERS,
  clusterName,
  KEPT_BYTES,
  LASTING,
  MAX_SLOT_GAP,
  PROGRAMS,
  requireCluster,
  type SolanaReader,
  type SolanaReaderOptions,
} from './reader.ts';

const clock = getStructDecoder([
  ['slot', getU64Decoder()],
  ['epochStart', getI64Decoder()],
  ['epoch', getU64Decoder()],
  ['leaderEpoch', getU64Decoder()],
  ['unixTime', getI64Decoder()],
]);
const CLOCK_BYTES = 40;

/**
 * Reads through `@solana/kit` and the codecs of the programs' own clients. It shares neither transport nor decoder with
 * the reader over `@solana/web3.js`.
 */
export function kitSolanaReader(options: SolanaReaderOptions): SolanaReader {
  const { rpcUrl, genesis = CLUSTERS['mainnet-beta'], timeoutMs = 5_000 } = options;
  const rpc = createSolanaRpcFromTransport(ownAnswers(createDefaultRpcTransport({ url: rpcUrl })));
  const attempt = attempts(options, classify);
  // The library's own requests have no limit of time.
  const limited = () => ({ abortSignal: AbortSignal.timeout(timeoutMs * 0.9) });

  const sameCluster = async (): Promise<void> => {
    const found: string = await rpc.getGenesisHash().send(limited());
    if (typeof found !== 'string') throw new ReaderError('down', 'the node names no cluster');
    requireCluster(found, genesis);
  };

  const read = async (keys: readonly Address[]) => {
    const question = rpc.getMultipleAccounts([...keys], {
      commitment: 'finalized',
      encoding: 'base64',
      dataSlice: { offset: 0, length: KEPT_BYTES },
    });
    return answered(await question.send(limited()), keys.length);
  };

  return {
    client: '@solana/kit',
    endpoint: endpointOf(rpcUrl),
    account: (given, mints) =>
      attempt(async () => {
        const who = toAddress(given);
        const own = await Promise.all(mints.map((mint) => tokenKey(who, mint)));
        const keys = [who, toAddress(PROGRAMS.clock), await programDataKey(who), ...own];
        const { slot, value } = await both(sameCluster(), read(keys));
        const [account = null, time = null, code = null, ...held] = value;
        return {
          cluster: clusterName(genesis),
          slot: slot.toString(),
          at: timeOf(time, slot),
          onCurve: !isOffCurveAddress(who),
          account: account && {
            lamports: account.lamports.toString(),
            owner: account.owner,
            executable: account.executable,
            is: decodedShape(account, code),
          },
          holdings: held
            .map((one, i) => decodedHolding(one, mints[i]!, given))
            .filter((token) => token !== null),
        };
      }),
  };
}

/** The library takes any answer to its request; this one must be to the question that was asked. */
function ownAnswers(transport: RpcTransport): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const answer = await transport<Response>(request);
    if (idOf(answer) !== idOf(request.payload))
      throw new ReaderError('down', 'the node answers another question, or none');
    return answer;
  };
}

function idOf(said: unknown): string | null {
  return typeof said === 'object' && said !== null && 'id' in said ? String(said.id) : null;
}

interface HeldAccount extends EncodedAccount {
  readonly lamports: bigint;
}

/** What the library types, it does not check. @throws ReaderError down */
function answered(
  answer: unknown,
  keys: number,
): { readonly slot: bigint; readonly value: readonly (HeldAccount | null)[] } {
  const { context, value } = (answer ?? {}) as { context?: { slot?: unknown }; value?: unknown };
  if (typeof context?.slot !== 'bigint') throw new ReaderError('down', 'the node names no slot');
  if (!Array.isArray(value) || value.length !== keys)
    throw new ReaderError('down', `the node does not answer the ${keys} accounts that were asked`);
  return { slot: context.slot, value: value.map(heldAccount) };
}

function heldAccount(told: unknown): HeldAccount | null {
  if (told === null) return null;
  const { data, executable, lamports, owner } = told as Readonly<Record<string, unknown>>;
  const bytes: unknown = Array.isArray(data) && data[1] === 'base64' ? data[0] : undefined;
  const whole =
    typeof bytes === 'string' &&
    typeof executable === 'boolean' &&
    typeof owner === 'string' &&
    typeof lamports === 'bigint';
  if (!whole) throw new ReaderError('down', 'the node answers an account in another form');
  return { owner, executable, lamports, data: new Uint8Array(Buffer.from(bytes, 'base64')) };
}

/** ISO 8601, by the Clock account, which is read together with the rest. */
function timeOf(account: EncodedAccount | null, slot: bigint): string {
  if (account === null || account.data.length < CLOCK_BYTES)
    throw new ReaderError('down', 'the node does not show the clock');
  const shown = clock.decode(account.data);
  const gap = shown.slot > slot ? shown.slot - slot : slot - shown.slot;
  if (gap > MAX_SLOT_GAP)
    throw new ReaderError('disagreeing', `the node names slot ${slot}, and its clock slot ${shown.slot}`);
  const ms = Number(shown.unixTime) * 1000;
  // `toISOString` throws for times beyond the range of dates.
  if (!(ms > 0 && ms < 8.64e15)) throw new ReaderError('down', 'the node shows no time');
  return new Date(ms).toISOString();
}

function classify(error: unknown): ReaderError {
  const cause = { cause: error };
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if (e instanceof ReaderError) return e;
    if (e.name === 'TimeoutError' || e.name === 'AbortError')
      return new ReaderError('slow', 'the node gave no whole answer in time', cause);
  }
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    const { statusCode } = error.context;
    const lasting = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
    return new ReaderError('down', `the node answers HTTP ${statusCode}`, { ...cause, lasting });
  }
  // The library gives what a node refuses the code of the JSON-RPC error.
  const code = isSolanaError(error) ? Number(error.context.__code) : 0;
  if (CATCHING_UP.includes(code)) return new ReaderError('down', `the node is behind (${code})`, cause);
  if (code <= -32_000 && code >= -32_768)
    return new ReaderError('down', `the node refuses with ${code}`, {
      ...cause,
      lasting: LASTING.includes(code),
    });
  return new ReaderError('down', 'the node is not reachable, or its answer has another form', cause);
}
