import { registrationOf } from '../../agents/agent/registration.ts';
import type { AgentCollection } from '../../store/agent/agents.ts';

interface RegistrationsDeps {
  readonly collection: AgentCollection;
  /** The token ids of its agents above this one, ascending. */
  readonly tokensAbove: (tokenId: bigint) => Promise<readonly bigint[]>;
  readonly now: () => Date;
  /** For how long an answer is good. */
  readonly goodMs: number;
}

/** The list of every agent as it goes over the wire, and for how long it has been so. */
export interface RegistrationsDocument {
  readonly bytes: Buffer;
  readonly ageMs: number;
}

/**
 * So many of the newest are read again each time: agents are stored in another order than they are minted, and a reorg
 * moves mints of the last day.
 */
const UNSETTLED = 1_000;

/**
 * Keeps the list of every agent for as long as it is good, and then adds to it what is new: to read all of them for each
 * who asks would cost the more the more there are. Those who ask at the same time share one read.
 */
export function registrationsDocument(deps: RegistrationsDeps): () => Promise<RegistrationsDocument> {
  let settled = { upTo: -1n, text: '' };
  let kept: { readonly at: number; readonly bytes: Promise<Buffer> } | null = null;

  const read = async (): Promise<Buffer> => {
    const before = settled;
    const tokens = await deps.tokensAbove(before.upTo);
    const entries = tokens.map((tokenId) => JSON.stringify(registrationOf({ ...deps.collection, tokenId })));
    const count = Math.max(0, entries.length - UNSETTLED);
    const text = listed(before.text, entries.slice(0, count));
    if (count > 0) settled = { upTo: tokens[count - 1]!, text };
    return Buffer.from(`{"registrations":[${listed(text, entries.slice(count))}]}`);
  };

  return async () => {
    const now = deps.now().getTime();
    if (kept === null || now - kept.at >= deps.goodMs) {
      const reading = { at: now, bytes: read() };
      kept = reading;
      reading.bytes.catch(() => {
        if (kept === reading) kept = null;
      });
    }
    const { at, bytes } = kept;
    return { bytes: await bytes, ageMs: now - at };
  };
}

/** Members of a JSON list, after those that the text holds. */
function listed(text: string, entries: readonly string[]): string {
  return [...(text === '' ? [] : [text]), ...entries].join(',');
}
