import {
  type Address,
  concat,
  getTypesForEIP712Domain,
  type Hex,
  hashDomain,
  hashStruct,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  parseSignature,
  recoverAddress,
  type SerializeTransactionFn,
  serializeTransaction,
  type TypedDataDefinition,
  toHex,
} from 'viem';
import { publicKeyToAddress, toAccount } from 'viem/accounts';
import { AppError } from '../../agents/errors.ts';

interface RemoteSignerOptions {
  /** Of the signer's HTTP interface, such as `https://signer.example:9000`. */
  readonly url: string;
  readonly address: Address;
  readonly timeoutMs?: number;
}

/** What is signed twice at the start; it has the form of no transaction and of no typed data. */
const PROBE = toHex('safe-handshake: is this key there, and does it sign alike twice?');
const TIMEOUT_MS = 5_000;
/** For whoever waits for what is to be signed, who need not learn where the key lies. */
const AWAY = 'The server that signs for this service does not answer now. Try again.';
const PUBLIC_KEY = /^(?:0x)?(?:04)?[0-9a-fA-F]{128}$/;

/**
 * An account whose key another server holds, over the HTTP interface of Web3Signer: `POST /api/v1/eth1/sign/{public
 * key}` with `{ data }` signs the Keccak-256 hash of `data`. Each signature is checked to be the key's before it is used.
 * @throws Error, one sentence: the server does not answer, does not hold the key, or signs the same bytes in two ways.
 *   A transaction is found again after a crash by signing it again, so signatures must be deterministic (RFC 6979).
 *   The account throws AppError unavailable while the server does not answer, or answers 429 or 5xx: nothing is wrong
 *   with what was to be signed
 */
export async function remoteSigner(options: RemoteSignerOptions): Promise<LocalAccount> {
  const { address } = options;
  const identifier = await identifierOf(options);
  const sign = async (data: Hex): Promise<Hex> => {
    const signature = (await ask(options, `/api/v1/eth1/sign/${identifier}`, { data })).trim();
    if (!/^0x[0-9a-fA-F]{130}$/.test(signature))
      throw fault(options, 'answered something else than a signature');
    const signer = await recoverAddress({ hash: keccak256(data), signature: signature as Hex });
    if (!isAddressEqual(signer, address)) throw fault(options, `signed as ${signer} instead of ${address}`);
    return signature as Hex;
  };
  const [first, second] = [await sign(PROBE), await sign(PROBE)];
  if (first !== second)
    throw fault(options, 'signs the same bytes in two ways: its signatures must be deterministic (RFC 6979)');
  const signLater = (data: Hex): Promise<Hex> =>
    sign(data).catch((cause) => {
      throw cause instanceof SignerAway ? new AppError('unavailable', AWAY, { cause }) : cause;
    });
  return toAccount({
    address,
    async signTransaction(transaction, { serializer = serializeTransaction as SerializeTransactionFn } = {}) {
      const unsigned = await serializer(transaction);
      return await serializer(transaction, parseSignature(await signLater(unsigned)));
    },
    signTypedData: async (definition) => await signLater(preimageOf(definition as TypedDataDefinition)),
    signMessage: async () => {
      throw fault(options, 'is asked for transactions and typed data alone');
    },
  });
}

/** The bytes whose hash an EIP-712 signature is over. */
function preimageOf({ domain = {}, types, primaryType, message }: TypedDataDefinition): Hex {
  const all = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types } as Parameters<
    typeof hashStruct
  >[0]['types'];
  return concat([
    '0x1901',
    hashDomain({ domain, types: all as Parameters<typeof hashDomain>[0]['types'] }),
    hashStruct({ data: message as Record<string, unknown>, primaryType: primaryType as string, types: all }),
  ]);
}

/** The public key by which the server knows the key of this address. */
async function identifierOf(options: RemoteSignerOptions): Promise<string> {
  const text = await ask(options, '/api/v1/eth1/publicKeys');
  let keys: unknown;
  try {
    keys = JSON.parse(text);
  } catch {
    keys = null;
  }
  if (!Array.isArray(keys)) throw fault(options, 'does not say which keys it holds');
  for (const key of keys) {
    if (typeof key !== 'string' || !PUBLIC_KEY.test(key)) continue;
    const point: Hex = `0x04${key.slice(-128)}`;
    if (isAddressEqual(publicKeyToAddress(point), options.address)) return `0x${key.slice(-128)}`;
  }
  throw fault(options, `does not hold the key of ${options.address}`);
}

async function ask(options: RemoteSignerOptions, path: string, body?: object): Promise<string> {
  const { url, timeoutMs = TIMEOUT_MS } = options;
  let answer: Response;
  try {
    answer = await fetch(new URL(path, url), {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw away(options, 'does not answer', cause);
  }
  const text = await answer.text().catch((cause) => {
    throw away(options, 'did not answer to the end', cause);
  });
  const { ok, status } = answer;
  if (!ok) throw (status >= 500 || status === 429 ? away : fault)(options, `answered ${status}`);
  return text;
}

/** The server is away or busy: it may sign the same bytes later. */
class SignerAway extends Error {}

const away = (options: RemoteSignerOptions, what: string, cause?: unknown): SignerAway =>
  new SignerAway(said(options, what), { cause });
const fault = (options: RemoteSignerOptions, what: string): Error => new Error(said(options, what));
const said = ({ url }: RemoteSignerOptions, what: string): string =>
  `the signer at ${new URL(url).host} ${what}`;
