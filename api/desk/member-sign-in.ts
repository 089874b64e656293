import { type CompleteSIWxInfo, createSIWxMessage, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x';
import { getAddress } from 'viem/utils';
import { isEvmAddress } from '../../agents/ids.ts';
import { SIGN_IN } from '../x402/extensions.ts';
import type { Answer } from './ask.ts';

/** What a member signs instead of a transfer (CAIP-122), as the challenge of the request says it. */
export interface SignInDraft extends CompleteSIWxInfo {
  readonly address: string;
}

interface Offered {
  readonly info: Omit<CompleteSIWxInfo, 'chainId' | 'type'>;
  readonly supportedChains: readonly Pick<CompleteSIWxInfo, 'chainId' | 'type'>[];
}

/**
 * The sign-in that a challenge offers a wallet in place of a payment; null where it offers none.
 * @param network of the wallet, which matters where it is a contract; the first that is offered where it is none of them
 */
export function draftSignIn(
  { extensions }: Answer['body'],
  wallet: string,
  network: string,
): SignInDraft | null {
  const offered = (extensions as Readonly<Record<string, Offered>> | undefined)?.[SIGN_IN];
  if (offered === undefined || !isEvmAddress(wallet)) return null;
  const { info, supportedChains } = offered;
  const chain = supportedChains.find(({ chainId }) => chainId === network) ?? supportedChains[0];
  return chain === undefined ? null : { ...info, ...chain, address: getAddress(wallet) };
}

/** The text that the wallet signs and shows (EIP-4361). */
export function signInText({ address, ...info }: SignInDraft): string {
  return createSIWxMessage(info, address);
}

/** Makes the `SIGN-IN-WITH-X` out of an encoded draft; null when it cannot be read. The API checks the rest. */
export function signedIn(carried: string, signature: string): string | null {
  try {
    const draft = JSON.parse(Buffer.from(carried, 'base64').toString()) as SignInDraft;
    return encodeSIWxHeader({ ...draft, signature });
  } catch {
    return null;
  }
}
