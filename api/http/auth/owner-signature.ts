import { sha256Hex } from '../../../agents/canonical.ts';
import { AppError, badField, type ErrorCode } from '../../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../../agents/ids.ts';
import type { SeedKeys } from '../../../chain/keys/seeds.ts';
import type { VerifySignature } from '../../../chain/tx/signature.ts';
import type { UsedSignatures } from '../../../store/http/used-signatures.ts';
import type { Request } from '../app.ts';
import {
  type ChallengeNonces,
  challengeNonces,
  type ReadNonce,
  readCredentials,
} from './challenge-nonces.ts';
import { READ_SESSION_MS, readSessions, readSessionToken, type SessionReader } from './read-sessions.ts';
import { signInMessage } from './sign-in-message.ts';

export interface OwnerSignatureDeps {
  readonly used: UsedSignatures;
  readonly verify: VerifySignature;
  readonly clock: () => Date;
  /** Who stands behind a wallet now, lower case. @throws AppError unavailable */
  readonly beneficialOwnerOf: (wallet: Address) => Promise<Address>;
  /** Of which the keys of the HMACs are derived. The same in every process of the service. */
  readonly seed: SeedKeys;
  readonly baseUrl: string;
}

/** What a message says besides the request that it is for. */
export interface SignedWords {
  readonly statement: string;
  /**
   * The sentence for people, where the statement is a line that a contract checks. The message repeats it among its
   * resources.
   */
  readonly says?: string;
  /** URIs that the message names in addition to the request itself. */
  readonly resources?: readonly string[];
}

export interface OwnerDemand extends Omit<SignedWords, 'statement'> {
  /**
   * For a request that binds an agent, the agent's present owner on chain; otherwise the wallet that the body names. It
   * may be a promise: the chain is then read while the signature is checked.
   */
  readonly wallet: Address | Promise<Address>;
  /**
   * The act in plain words, from `agents/words`: "Buy 'Fjord at Dusk' (…) with agent harbour-desk for at most …".
   * Anybody is shown it, so it must hold nothing that only the owner may know. It is made again when the signature
   * comes. So it may depend on the request, on the chain, on the database and on `issuedAt`, but on no clock of its
   * own. When it has changed by then, the caller is asked to sign a new message. Where the other words depend on
   * `issuedAt`, too, they come with it.
   */
  readonly statement: string | ((issuedAt: Date) => string | SignedWords | Promise<string | SignedWords>);
  /**
   * Set when the message will be public but the body must stay private. A plain hash of the body would give a floor
   * away: whoever knows the other fields could try the few thousand possible floors. So the hash is made over a salt,
   * which only the caller is given, and the body.
   */
  readonly salted?: boolean;
  /** What a 401 says beside the message, so that it is known before anything is signed. No part of what is signed. */
  readonly beside?: () => Promise<Readonly<Record<string, unknown>>>;
  /** The chain on which the signature of a contract wallet is checked. */
  readonly chainId: number;
}

/**
 * Lets a request pass only with a fresh signature of `wallet` over exactly this request.
 * @throws AppError signature-required, -invalid, -used or -expired (401, each with a message to sign), not-owner (403:
 *   the signer was the owner when asked, and no longer is), unavailable (the chain cannot be read); what
 *   `Request.takeKeyFor` throws
 */
export interface RequireOwner {
  (request: Request, demand: OwnerDemand): Promise<void>;
  /** Does the same without using the signature up. The caller must use it up before acting on it. */
  prove(request: Request, demand: OwnerDemand): Promise<ProvenOwner>;
  /**
   * Opens a session in which reads of this wallet need no further signature, as long as the same one stands behind it. The
   * caller has proved the wallet, and read who stands behind it before that: whoever signed for it then is meant.
   */
  openSession(reader: SessionReader): ReadSession;
}

export interface ReadSession {
  /** For `Authorization: ReadSession <token>`. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface ProvenOwner {
  /** The nonce of the signed message. A caller that marks it used in its own transaction need not call `useUp`. */
  readonly nonce: string;
  /**
   * Uses the signature up. Each counts once, also when the request is refused later. Further calls for the same request
   * do nothing.
   * @throws AppError signature-used
   */
  useUp(): Promise<void>;
}

/** Ten minutes, as the wire contract says. */
const LIFE_MS = 10 * 60_000;
/** Longer than any request that a route takes. The message contains the address twice, so it must have a limit. */
const LONGEST_URL = 2_000;

/**
 * Messages that were given out to be signed are not stored: the nonce says whom it asks and when, and carries an HMAC
 * over the request and the words. A nonce is written down only after a wallet has signed it.
 */
export function ownerSignature(deps: OwnerSignatureDeps): RequireOwner {
  const nonces = challengeNonces(deps.seed);
  const sessions = readSessions(deps.seed);
  const refuse = async (
    request: Request,
    demand: OwnerDemand,
    code: ErrorCode,
    detail: string,
  ): Promise<AppError> =>
    new AppError(code, detail, {
      extra: { sign: await challenge(deps, nonces, request, demand), ...(await demand.beside?.()) },
    });

  /**
   * Refuses a request whose nonce can be read. When the nonce was used already, that is the error, whatever else is
   * wrong.
   */
  const refuseSigned = async (
    request: Request,
    demand: OwnerDemand,
    nonce: string,
    [code, detail]: readonly [ErrorCode, string],
  ): Promise<AppError> =>
    (await deps.used.isUsed(nonce))
      ? await refuse(request, demand, 'signature-used', 'Each signature counts once.')
      : await refuse(request, demand, code, detail);

  /**
   * Makes the message again that was given out with this nonce for this very request.
   * @throws AppError as RequireOwner
   */
  const messageSigned = async (
    request: Request,
    demand: OwnerDemand,
    nonce: string,
  ): Promise<{ readonly wallet: Address; readonly message: string }> => {
    const of = nonces.read(nonce);
    if (!of)
      throw await refuse(request, demand, 'signature-invalid', 'No message with this nonce was given out.');
    // A used message may be public on the chain. Without this check anybody could try which body it was given out for.
    if (demand.salted && (await deps.used.isUsed(nonce)))
      throw await refuse(request, demand, 'signature-used', 'Each signature counts once.');
    const { expiresAt } = timesOf(of);
    if (expiresAt <= deps.clock()) {
      const detail = `The message expired at ${expiresAt.toISOString()}.`;
      throw await refuseSigned(request, demand, nonce, ['signature-expired', detail]);
    }
    const words = await wordsOf(demand, of);
    if (!nonces.isOurs(nonce, boundBy(request, demand, words))) {
      const detail =
        'The message that was signed is for another method, path or body, or what it says of them has changed since.';
      throw await refuseSigned(request, demand, nonce, ['signature-invalid', detail]);
    }
    const message = messageOf(deps, nonces, request, demand, { ...of, nonce, words });
    return { wallet: of.wallet, message };
  };

  /** A session reads, and never writes. That of an account ends when another one holds the account. */
  const inSession = async (
    request: Request,
    demand: OwnerDemand,
    token: string,
    owner: Promise<Address>,
  ): Promise<ProvenOwner> => {
    const reader = request.method === 'GET' ? sessions.readerOf(token, deps.clock()) : null;
    const isTheirs =
      reader !== null &&
      sameAddress(reader.wallet, await owner) &&
      (await deps.beneficialOwnerOf(reader.wallet)) === reader.beneficialOwner;
    if (!isTheirs) {
      const detail =
        'The read session is over, is of another wallet or of a former holder of it, or is used for more than reading.';
      throw await refuse(request, demand, 'signature-invalid', detail);
    }
    request.signedBy = reader.wallet;
    return { nonce: '', useUp: async () => {} };
  };

  const prove: RequireOwner['prove'] = async (request, demand) => {
    const reading = Promise.resolve(demand.wallet);
    // Errors of the signature come first; a failed read must not become an unhandled rejection meanwhile.
    reading.catch(() => {});
    const authorization = request.headers.authorization;
    if (authorization === undefined) {
      throw await refuse(
        request,
        demand,
        'signature-required',
        'Sign `sign.message` and send the same request again.',
      );
    }
    const token = readSessionToken(authorization);
    if (token !== null) return await inSession(request, demand, token, reading);
    const credentials = readCredentials(authorization);
    if (credentials === null) {
      const detail = 'Authorization: write it as EIP191 nonce="…", signature="0x…".';
      throw await refuse(request, demand, 'signature-invalid', detail);
    }

    const { nonce, signature } = credentials;
    const { wallet, message } = await messageSigned(request, demand, nonce);
    // Lets the caller's other reads go out before the signature is verified, which blocks the process.
    await new Promise((resume) => setImmediate(resume));
    if (!(await deps.verify({ wallet, message, signature, chainId: demand.chainId }))) {
      const detail = `The signature is not one of ${wallet} over the message with this nonce.`;
      throw await refuseSigned(request, demand, nonce, ['signature-invalid', detail]);
    }
    const owner = await reading;
    // Only a signature that verifies uses the message up. Otherwise a stranger's guess would burn the owner's nonce.
    let using: Promise<void> | null = null;
    const use = async (): Promise<void> => {
      if (await deps.used.use(nonce, deps.clock())) return;
      throw await refuse(request, demand, 'signature-used', 'Each signature counts once.');
    };
    const useUp = (): Promise<void> => {
      using ??= use();
      return using;
    };
    if (!sameAddress(wallet, owner)) {
      await useUp();
      throw new AppError(
        'not-owner',
        `${wallet} no longer owns this: it moved after the message was given out.`,
      );
    }
    request.signedBy = lowerAddress(owner);
    request.signedText = { message, signature };
    await request.takeKeyFor?.(request.signedBy, useUp);
    return { nonce, useUp };
  };
  return Object.assign(
    async (request: Request, demand: OwnerDemand) => await (await prove(request, demand)).useUp(),
    {
      prove,
      openSession(reader: SessionReader) {
        const expiresAt = new Date(deps.clock().getTime() + READ_SESSION_MS);
        return { token: sessions.make(reader, expiresAt), expiresAt };
      },
    },
  );
}

async function challenge(
  deps: OwnerSignatureDeps,
  nonces: ChallengeNonces,
  request: Request,
  demand: OwnerDemand,
) {
  if (request.url.length > LONGEST_URL)
    throw badField('url', `must have at most ${LONGEST_URL} characters to be signed for`);
  const of: ReadNonce = { wallet: lowerAddress(await demand.wallet), issuedAt: deps.clock() };
  const words = await wordsOf(demand, of);
  const nonce = nonces.make(of, boundBy(request, demand, words));
  return {
    message: messageOf(deps, nonces, request, demand, { ...of, nonce, words }),
    nonce,
    expiresAt: timesOf(of).expiresAt.toISOString(),
    wallet: of.wallet,
    chainId: demand.chainId,
    says: words.says,
    ...(demand.salted ? { salt: nonces.saltOf(nonce) } : {}),
  };
}

/** The text that the wallet signs. Made again from the request and the nonce, it is the same to the byte. */
function messageOf(
  deps: OwnerSignatureDeps,
  nonces: ChallengeNonces,
  request: Request,
  demand: OwnerDemand,
  of: ReadNonce & { readonly nonce: string; readonly words: Required<SignedWords> },
): string {
  const { salted = false, chainId } = demand;
  const { statement, resources } = of.words;
  const { method, url: path, rawBody } = request;
  return signInMessage({
    ...{ statement, resources, chainId, method, path, nonce: of.nonce, wallet: of.wallet },
    bodyHash: sha256Hex(salted ? Buffer.concat([Buffer.from(nonces.saltOf(of.nonce)), rawBody]) : rawBody),
    baseUrl: deps.baseUrl,
    ...timesOf(of),
  });
}

function timesOf({ issuedAt }: ReadNonce): { readonly issuedAt: Date; readonly expiresAt: Date } {
  return { issuedAt, expiresAt: new Date(issuedAt.getTime() + LIFE_MS) };
}

/** Everything of the request and the demand that the message binds. */
function boundBy(
  { method, url, rawBody }: Request,
  { salted = false, chainId }: OwnerDemand,
  { statement, resources }: Required<SignedWords>,
): string {
  return JSON.stringify([method, url, sha256Hex(rawBody), chainId, statement, resources, salted]);
}

async function wordsOf(demand: OwnerDemand, { issuedAt }: ReadNonce): Promise<Required<SignedWords>> {
  const { statement, says, resources = [] } = demand;
  const told = typeof statement === 'string' ? statement : await statement(issuedAt);
  const words = typeof told === 'string' ? { statement: told } : told;
  return { says: says ?? words.statement, resources, ...words };
}
