import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RecordDocument } from '../../../agents/records/verify.ts';
import { StartError } from '../../config/start-error.ts';
import type { RunningService } from '../../embedded/running.ts';

/** One record of a file of the archive, such as `records.jsonl#rec_…`; null for anything else. */
function inArchive(source: string): { readonly file: string; readonly recordId: string } | null {
  const [, file = '', recordId = ''] = /^(.+)#(rec_[0-9a-z_]+)$/.exec(source) ?? [];
  return file !== '' && existsSync(file) ? { file, recordId } : null;
}

/**
 * Where to read the document: a file, a URL, one line of a file of the archive, or a record of the running service.
 * @throws StartError for an id when no service runs on this data folder
 */
export function sourceOf(given: string, running: RunningService | null): string {
  if (/^https?:/.test(given) || existsSync(given) || inArchive(given) !== null) return given;
  if (!running) throw new StartError('No service runs on this data folder: give a file or a URL.');
  return `${running.baseUrl}/records/${given}`;
}

/**
 * @param source a URL, the path of a file that holds the document, or such a path with `#` and a record's id for one line
 *   of a file of the archive
 * @throws StartError when the document cannot be read or is not a record
 */
export async function readDocument(source: string): Promise<RecordDocument> {
  let text: string;
  const archived = inArchive(source);
  if (archived !== null) text = await lineOf(archived);
  else if (/^https?:/.test(source)) {
    const response = await fetch(source, { headers: { accept: 'application/json' } });
    if (response.status === 404) throw new StartError(`There is no record at ${source}.`);
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

/** How long a service may take to say what became of a record, milliseconds. */
const ASKED_MS = 10_000;

/**
 * The document with what its service says now: whether the record was retracted or overturned since the document was kept.
 * A service can only add that. One that does not answer, or that has another record under the id, was not asked.
 * @param service where to ask; a document that was read from a URL is what its service says now
 */
export async function withPresentStatus(
  document: RecordDocument,
  source: string,
  service: string | null,
): Promise<{ readonly document: RecordDocument; readonly asked: string | null }> {
  if (/^https?:/.test(source)) return { document, asked: new URL(source).origin };
  if (service === null) return { document, asked: null };
  const base = service.endsWith('/') ? service.slice(0, -1) : service;
  try {
    const response = await fetch(`${base}/records/${encodeURIComponent(document.recordId)}`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(ASKED_MS),
    });
    if (!response.ok) return { document, asked: null };
    const { hash, retracted, overturned } = (await response.json()) as RecordDocument;
    if (hash !== document.hash) return { document, asked: null };
    const since = {
      ...(retracted === undefined ? {} : { retracted }),
      ...(overturned === true ? { overturned } : {}),
    };
    return { document: { ...document, ...since }, asked: base };
  } catch {
    return { document, asked: null };
  }
}

async function lineOf({
  file,
  recordId,
}: {
  readonly file: string;
  readonly recordId: string;
}): Promise<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) if (line.startsWith(`{"recordId":"${recordId}"`)) return line;
  throw new StartError(`${file} holds no record "${recordId}".`);
}
