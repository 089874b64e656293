import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { StartError } from '../config/start-error.ts';
import { knownSettings } from './setting-names.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Settings that a `.env` of the working directory holds and that the environment lacks. They have no effect. */
export interface UnreadEnv {
  readonly names: readonly string[];
  /** The file is meant for production, and the environment says nothing of it. */
  readonly isForProduction: boolean;
}

/** How the settings of a `.env` come into the environment. */
export const READ_ENV = 'run "set -a; . ./.env; set +a" first, or start it by "node --env-file=.env"';

/** @returns null where no such file lies in the folder, or the environment has all of its settings */
export function unreadEnv(env: Env, folder: string = process.cwd()): UnreadEnv | null {
  const held = heldIn(join(folder, '.env'));
  const lacks = (name: string): boolean => (env[name] ?? '') === '';
  const set = Object.keys(held).filter((name) => held[name] !== '' && lacks(name));
  const names = set.length === 0 ? [] : set.filter(knownSettings().has);
  if (names.length === 0) return null;
  const isForProduction =
    lacks('MODE') &&
    (held.MODE === 'production' || (held.MODE === undefined && held.PRICING === 'live' && lacks('PRICING')));
  return { names, isForProduction };
}

/** One sentence, without its stop: no value is repeated, for they are secrets. */
export function unreadEnvSays({ names }: UnreadEnv): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `.env is not read: it sets ${names.slice(0, 3).join(', ')}${more}, which the environment does not`;
}

/**
 * Warns whoever starts a process beside a `.env` that it is not read.
 * @throws StartError where the file is meant for production: what started would run as development
 */
export function heedUnreadEnv(env: Env, folder?: string): void {
  const unread = unreadEnv(env, folder);
  if (unread === null) return;
  const sentence = `${unreadEnvSays(unread)}: ${READ_ENV}.`;
  if (unread.isForProduction)
    throw new StartError(
      `${sentence} It is meant for production, and without it this would start as development; where that is meant, set MODE=development.`,
    );
  console.error(sentence);
}

function heldIn(file: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
