import { ReaderError } from './reader.ts';

/** Null where the node does not keep the state that is asked for: many keep logs for ever, and old state for an hour. */
export async function unlessForgotten<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reorganised') return null;
    throw error;
  }
}
