import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** The mode of files that only the service's user may read: secrets and personal data. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Writes a file that only this user may read, completely or not at all. Its mode is right from the first byte, even
 * when it replaces a file with a wider mode.
 */
export function replacePrivately(file: string, content: string): void {
  const draft = writeDraft(file, content);
  try {
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Does the same for a file that must not exist yet. When several processes try at once, one succeeds.
 * @returns false when the file existed, and was left as it was
 */
export function createPrivately(file: string, content: string): boolean {
  const draft = writeDraft(file, content);
  try {
    // Linking creates the file with its whole content, or fails when the name is taken.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(file: string, content: string): string {
  // A random name that nobody can have created before, because an existing file would keep its mode.
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(draft, 'wx', PRIVATE_FILE);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return draft;
}
