import type { Signer } from '../../chain/tx/signer.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { Services } from '../services.ts';

const EVERY_MS = 1_500;
const MOST_BACKOFF_MS = 30_000;
/** How long a key is looked after once it has used a nonce, whatever its job found meanwhile. */
const USED_MS = 5_000;

/** Looks after what each key has sent and is not mined: a job for each key on each chain. */
export function rebroadcastJob({ chains }: Pick<Services, 'chains'>): RecurringJob {
  const signers = new Map(signersOf(chains).map((s) => [`${s.chainId}:${s.address.toLowerCase()}`, s]));
  return {
    kind: 'rebroadcast',
    lane: 'rebroadcast',
    items: [...signers.keys()],
    everyMs: EVERY_MS,
    mostBackoffMs: MOST_BACKOFF_MS,
    waits: usedNonces(),
    async run(item) {
      const round = await signers.get(item)?.rebroadcastPending();
      return round?.pending === 0 ? atRest({ everyMs: EVERY_MS }) : undefined;
    },
  };
}

/** The keys that have used a nonce of late. */
function usedNonces(): NonNullable<RecurringJob['waits']> {
  const used = new Map<string, { readonly nonce: number; readonly at: number }>();
  return ({ nonces }) => {
    const at = performance.now();
    for (const [key, nonce] of Object.entries(nonces))
      if (used.get(key)?.nonce !== nonce) used.set(key, { nonce, at });
    return [...used].flatMap(([key, seen]) => (at - seen.at < USED_MS ? [key] : []));
  };
}

function signersOf(chains: Services['chains']): Signer[] {
  return [...chains.values()].flatMap((c) =>
    c.facilitator === null ? [c.operator] : [c.operator, c.facilitator],
  );
}
