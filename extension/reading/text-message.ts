import type { ReadingNotes } from './reading.ts';
import { readAddress, readData } from './values.ts';

const LONGEST = 4_000;

/** EIP-4361: the first line of a sign-in, with the host that it is for. */
const SIGN_IN =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/]+) wants you to sign in with your Ethereum account:\s*(0x[0-9a-f]{40})?/i;

/**
 * Reads what `personal_sign` signs. Pages give text and account in either order.
 * @returns the text as it is shown; null where it is none
 */
export function readMessage(notes: ReadingNotes, params: readonly unknown[], host: string): string | null {
  const [first, second] = params;
  // Wallets sign the first, or the second where the first alone is an account; and no third that a page adds.
  const given = isAccount(first) && typeof second === 'string' && !isAccount(second) ? second : first;
  if (typeof given !== 'string') {
    notes.warn('It signs a message that cannot be read.');
    return null;
  }
  const text = /^0x(?:[0-9a-f]{2})*$/i.test(given) ? textOf(given) : given;
  if (text === null) {
    notes.warn('It signs bytes that are no text. What they allow cannot be read.');
    return given.slice(0, LONGEST);
  }
  const [, signsInAt, account] = SIGN_IN.exec(text) ?? [];
  const signer = params.slice(0, 2).filter(isAccount).map(readAddress)[0];
  if (account !== undefined && signer !== undefined && account.toLowerCase() !== signer)
    notes.stop(`It signs in ${account}, which is not the account that signs.`);
  if (signsInAt !== undefined && hostOf(signsInAt) !== host)
    notes.stop(
      `It signs you in at ${hostOf(signsInAt)}, and is asked for by ${host}: who gets it can act as you there.`,
    );
  else
    notes.note(
      signsInAt === undefined ? 'It signs this text, and moves nothing by itself.' : 'It signs you in here.',
    );
  return shown(text);
}

function isAccount(value: unknown): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);
}

function hostOf(authority: string): string {
  return authority.replace(/^.*@/, '').replace(/:\d+$/, '').toLowerCase();
}

function textOf(hex: string): string | null {
  const digits = readData(hex).slice(2);
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** What turns the direction of writing, or takes no room, is shown as a mark: it hides what stands there. */
export function shown(text: string): string {
  return text.slice(0, LONGEST).replaceAll(/[\p{Cf}\u2028\u2029]/gu, '\ufffd');
}

/** A page's own name for something, in the window of the extension. */
export function shownName(name: string): string {
  return shown(name.slice(0, 40));
}
