import { existsSync, readFileSync } from 'node:fs';
import type { RecordDocument } from '../../../agents/records/verify.ts';
import { StartError } from '../../config/start-error.ts';
import type { RunningService } from '../../embedded/running.ts';

/**
 * Where to read the document: a file, a URL, or a record of the running service.
 * @throws StartError for an id when no service runs on this data folder
 */
export function sourceOf(given: string, running: RunningService | null): string {
  if (/^https?:/.test(given) || existsSync(given)) return given;
  if (!running) throw new StartError('No service runs on this data folder: give a file or a URL.');
  return `${running.baseUrl}/records/${given}`;
}

/**
 * @param source a URL or the path of a file that holds the document
 * @throws StartError when the document cannot be read or is not a record
 */
export async function readDocument(source: string): Promise<RecordDocument> {
  let text: string;
  if (/^https?:/.test(source)) {
    const response = await fetch(source, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new StartError(`${source} answered ${response.status}.`);
    text = await response.text();
  } else {
    text = readFileSync(source, 'utf8');
  }
  try {
    const document = JSON.parse(text) as RecordDocument;
    if (typeof document.record === 'object' && typeof document.signature?.signer === 'string')
      return document;
  } catch {
    // The error is thrown below.
  }
  throw new StartError(`${source} holds no record.`);
}
