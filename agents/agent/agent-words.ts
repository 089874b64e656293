import { codeText, quoted } from '../signed-text.ts';

/** The texts that an owner signs about an agent itself. */

/** The owner's own text is shortened here, because the hash of the request covers all of it. */
export function mandateWords({ handle, text }: { handle: string; text: string }): string {
  return `Propose a new mandate for agent ${handle}: ${quoted(text, 240)}. It holds once I sign its terms and the chain has them.`;
}

const SESSION: Readonly<Record<'pause' | 'resume' | 'rotate' | 'retire', (handle: string) => string>> = {
  pause: (handle) =>
    `Pause agent ${handle}. Its orders leave the book at once, and it trades nothing until I resume it.`,
  resume: (handle) => `Resume agent ${handle}. It may trade again inside its mandate.`,
  rotate: (handle) =>
    `Give agent ${handle} a new session key. The old key ends when the chain has the new one.`,
  retire: (handle) =>
    `Retire agent ${handle} for good. Its orders leave the book at once, and it never trades again.`,
};

export function sessionWords(action: keyof typeof SESSION, handle: string): string {
  return SESSION[action](handle);
}

/** Undefined leaves a field unchanged; null or an empty value removes it. */
export function profileWords(profile: {
  readonly handle: string;
  readonly displayName?: string | null | undefined;
  readonly about?: string | null | undefined;
  readonly depth?: string | undefined;
}): string {
  const { handle, displayName, about, depth } = profile;
  const shown = (text: string | null, most: number) => (text?.trim() ? quoted(text, most) : 'none');
  const changes = [
    ...(displayName === undefined ? [] : [`name ${shown(displayName, 80)}`]),
    ...(about === undefined ? [] : [`about ${shown(about, 160)}`]),
    ...(depth === undefined ? [] : [`depth ${codeText(depth, 32)}`]),
  ];
  return `Change what agent ${handle} shows of itself: ${changes.join(', ')}.`;
}

export function pauseAllWords(): string {
  return 'Pause every agent that I own. Their orders leave the book at once, and they trade nothing until I resume them. The service holds them to it; the chain does not before I sign the pause of each.';
}

export function readSessionWords(): string {
  return 'Read what is mine here for ten minutes. This lets nobody change anything.';
}
