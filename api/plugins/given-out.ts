import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Challenge } from '../../store/challenges.ts';

export type GivenChallenge = Omit<Challenge, 'usedAt'>;

/** What this process itself gave out to be signed, for the one request that most often follows. */
export interface GivenOut {
  remember(challenge: GivenChallenge): void;
  /** Forgets it as well: whoever comes with the same nonce again is looked up. */
  take(nonce: string): GivenChallenge | null;
}

const MOST = 5_000;
/** A text is some 500 characters. It names the path, which anybody may make long before anything is signed. */
const LONGEST = 2_000;

/** Forgets the oldest first, and keeps no long ones: what strangers ask for costs no more than a few megabytes. */
export function givenOut(most = MOST): GivenOut {
  const given = new BoundedMap<string, GivenChallenge>(most);
  return {
    remember(challenge) {
      if (challenge.message.length > LONGEST) return;
      given.set(challenge.nonce, challenge);
    },
    take(nonce) {
      const challenge = given.get(nonce) ?? null;
      given.delete(nonce);
      return challenge;
    },
  };
}
