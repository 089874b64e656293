import { sha256Hex } from '../../agents/canonical.ts';
import { AppError, type ErrorCode } from '../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import type { VerifySignature } from '../../chain/signature.ts';
import type { ChallengeBook } from '../../store/challenges.ts';
import type { Request } from '../app.ts';
import { type GivenChallenge, type GivenOut, givenOut } from './given-out.ts';
import { signInMessage } from './sign-in-message.ts';

export interface OwnerSignatureDeps {
  readonly challenges: ChallengeBook;
  readonly verify: VerifySignature;
  readonly clock: () => Date;
  /** At least 16 letters and digits that nobody can guess. */
  readonly newNonce: () => string;
  readonly baseUrl: string;
}

export interface OwnerDemand {
  /**
   * The agent's owner on chain now, for what binds an agent; otherwise the wallet named in the body. It may still be
   * read from the chain while the signature is looked at.
   */
  readonly wallet: Address | Promise<Address>;
  /** The act in plain words: "Rest an order to buy for agent harbour-desk". */
  readonly statement: string;
  /** URIs that the text names beside the request itself. */
  readonly resources?: readonly string[];
  /**
   * The text will be public, and the body holds what must not be. A plain hash of it would tell: whoever knows the rest
   * of the body tries the few thousand floors there can be. So the hash is of a salt, which only the asker is given, with
   * the body after it.
   */
  readonly salted?: boolean;
  /** The chain on which a contract wallet is asked. */
  readonly chainId: number;
}

/**
 * Lets a request pass only with a fresh signature of `wallet` over exactly this request.
 * @throws AppError signature-required, -invalid, -used or -expired (401, each with a message to sign), not-owner
 *   (403: the signer was the owner when it was asked, and no longer is), unavailable (the chain cannot be asked)
 */
export interface RequireOwner {
  (request: Request, demand: OwnerDemand): Promise<void>;
  /** The same, but for the signature's one use, which is left to the caller: nothing is done by it before. */
  prove(request: Request, demand: OwnerDemand): Promise<ProvenOwner>;
}

export interface ProvenOwner {
  /** Of the message that was signed. Who marks it used with what it lets happen need not use it up. */
  readonly nonce: string;
  /**
   * Uses the signature up: each counts once, also where the request is refused after all. Does so once, however often
   * this request asks.
   * @throws AppError signature-used
   */
  useUp(): Promise<void>;
}

/** Ten minutes, as the wire contract says. */
const LIFE_MS = 10 * 60_000;
const CREDENTIALS = /^EIP191\s+nonce="([A-Za-z0-9]{8,128})"\s*,\s*signature="(0x[0-9a-fA-F]+)"\s*$/i;

interface Credentials {
  readonly nonce: string;
  readonly signature: string;
}

export function ownerSignature(deps: OwnerSignatureDeps): RequireOwner {
  const given = givenOut();
  const refuse = async (
    request: Request,
    demand: OwnerDemand,
    code: ErrorCode,
    detail: string,
  ): Promise<AppError> =>
    new AppError(code, detail, { extra: { sign: await challenge(deps, given, request, demand) } });

  /**
   * What this process gave out need not be looked up before it is seen whose signature it is: its row tells no more than
   * whether it was used, and using it up tells that as well.
   * @returns null for what is not remembered, or does not pass: the row decides
   */
  const remembered = async (
    request: Request,
    { chainId }: OwnerDemand,
    { nonce, signature }: Credentials,
  ): Promise<GivenChallenge | null> => {
    const asked = given.take(nonce);
    if (asked === null || !isBound(asked, request) || asked.expiresAt <= deps.clock()) return null;
    // What the caller asks of others beside this goes out before the reckoning.
    await new Promise((resume) => setImmediate(resume));
    const { wallet, message } = asked;
    return (await deps.verify({ wallet: wallet as Address, message, signature, chainId })) ? asked : null;
  };

  const lookedUp = async (
    request: Request,
    demand: OwnerDemand,
    { nonce, signature }: Credentials,
  ): Promise<GivenChallenge> => {
    const asked = await deps.challenges.find(nonce);
    if (!asked)
      throw await refuse(request, demand, 'signature-invalid', 'No message with this nonce was given out.');
    // Before what it binds: of a message that is known from the chain, nobody may try which body it was given out for.
    if (asked.usedAt) throw await refuse(request, demand, 'signature-used', 'Each signature counts once.');
    if (!isBound(asked, request)) {
      const detail = 'The message that was signed is for another method, path or body.';
      throw await refuse(request, demand, 'signature-invalid', detail);
    }
    if (asked.expiresAt <= deps.clock()) {
      throw await refuse(
        request,
        demand,
        'signature-expired',
        `The message expired at ${asked.expiresAt.toISOString()}.`,
      );
    }

    const wallet = asked.wallet as Address;
    const genuine = await deps.verify({ wallet, message: asked.message, signature, chainId: demand.chainId });
    if (!genuine) {
      const detail = `The signature is not one of ${wallet} over the message with this nonce.`;
      throw await refuse(request, demand, 'signature-invalid', detail);
    }
    return asked;
  };

  const prove: RequireOwner['prove'] = async (request, demand) => {
    const reading = Promise.resolve(demand.wallet);
    // Whatever is wrong with the signature is told first.
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
    const [, nonce, signature] = CREDENTIALS.exec(authorization) ?? [];
    if (nonce === undefined || signature === undefined) {
      const detail = 'Authorization: write it as EIP191 nonce="…", signature="0x…".';
      throw await refuse(request, demand, 'signature-invalid', detail);
    }

    const asked =
      (await remembered(request, demand, { nonce, signature })) ??
      (await lookedUp(request, demand, { nonce, signature }));
    const wallet = asked.wallet as Address;
    const owner = await reading;
    // Only a signature that verifies uses the message up: a stranger's guess must not burn the owner's.
    let using: Promise<void> | null = null;
    const consume = async (): Promise<void> => {
      if (await deps.challenges.consume(nonce, deps.clock())) return;
      await lookedUp(request, demand, { nonce, signature });
      throw await refuse(request, demand, 'signature-used', 'Each signature counts once.');
    };
    const useUp = (): Promise<void> => {
      using ??= consume();
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
    request.signedText = { message: asked.message, signature: signature as `0x${string}` };
    return { nonce, useUp };
  };
  return Object.assign(
    async (request: Request, demand: OwnerDemand) => await (await prove(request, demand)).useUp(),
    { prove },
  );
}

async function challenge(deps: OwnerSignatureDeps, given: GivenOut, request: Request, demand: OwnerDemand) {
  const issuedAt = deps.clock();
  const expiresAt = new Date(issuedAt.getTime() + LIFE_MS);
  const nonce = deps.newNonce();
  const binding = bindingOf(request);
  const salt = demand.salted ? deps.newNonce() : null;
  const wallet = await demand.wallet;
  const message = signInMessage({
    ...demand,
    wallet,
    ...binding,
    bodyHash:
      salt === null ? binding.bodyHash : sha256Hex(Buffer.concat([Buffer.from(salt), request.rawBody])),
    baseUrl: deps.baseUrl,
    nonce,
    issuedAt,
    expiresAt,
  });
  const asked = { nonce, wallet: lowerAddress(wallet), ...binding, message, expiresAt };
  await deps.challenges.insert(asked);
  // A text that will be public is looked up each time: once it was used, nothing may depend on the body it comes with.
  if (salt === null) given.remember(asked);
  return {
    message,
    nonce,
    expiresAt: expiresAt.toISOString(),
    wallet: lowerAddress(wallet),
    chainId: demand.chainId,
    ...(salt === null ? {} : { salt }),
  };
}

function isBound(asked: GivenChallenge, request: Request): boolean {
  const { method, path, bodyHash } = bindingOf(request);
  return asked.method === method && asked.path === path && asked.bodyHash === bodyHash;
}

function bindingOf(request: Request) {
  return { method: request.method, path: request.url, bodyHash: sha256Hex(request.rawBody) };
}
