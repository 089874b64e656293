import type { Signer } from '../../chain/tx/signer.ts';
import { changedOfLate } from '../durable/jobs/bring-forward.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { Services } from '../services.ts';

const EVERY_MS = 1_500;
const MOST_BACKOFF_MS = 30_000;

/** Looks after what each key has sent and is not mined: a job for each key on each chain. */
export function rebroadcastJob({ chains }: Pick<Services, 'chains'>): RecurringJob {
  const signers = new Map(signersOf(chains).map((s) => [`${s.chainId}:${s.address.toLowerCase()}`, s]));
  const changed = changedOfLate<number>();
  return {
    kind: 'rebroadcast',
    lane: 'rebroadcast',
    items: [...signers.keys()],
    everyMs: EVERY_MS,
    mostBackoffMs: MOST_BACKOFF_MS,
    waits: ({ nonces }) => changed(Object.entries(nonces)),
    async run(item) {
      const round = await signers.get(item)?.rebroadcastPending();
      return round?.pending === 0 ? atRest({ everyMs: EVERY_MS }) : undefined;
    },
  };
}

function signersOf(chains: Services['chains']): Signer[] {
  return [...chains.values()].flatMap(({ signers }) => signers);
}
