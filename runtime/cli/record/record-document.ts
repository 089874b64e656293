import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RecordDocument } from '../../../agents/records/verify.ts';
import { messageOf, StartError } from '../../config/start-error.ts';

/** One record of a file of the archive, such as `records.jsonl#rec_…`; null for anything else. */
function inArchive(source: string): { readonly file: string; readonly recordId: string } | null {
  const [, file = '', recordId = ''] = /^(.+)#(rec_[0-9a-z_]+)$/.exec(source) ?? [];
  return file !== '' && existsSync(file) ? { file, recordId } : null;
}

/**
 * Where to read the document: a file, a URL, one line of a file of the archive, or a record of a service.
 * @param service the address of the service; null when none is known
 * @throws StartError for what is none of these, and for an id when no service is known
 */
export function sourceOf(given: string, service: string | null): string {
  if (/^https?:/.test(given) || existsSync(given) || inArchive(given) !== null) return given;
  if (!/^rec_[0-9a-z_]+$/i.test(given))
    throw new StartError(`There is no file ${given}: give a file, a URL, or the id of a record (rec_…).`);
  if (service === null)
    throw new StartError(
      `No service is known that has it: give a file, or its URL, such as https://handshake.example/records/${given}.`,
    );
  return `${baseOf(service)}/records/${given}`;
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
    text = await fetched(source);
  } else {
    text = textOf(source);
  }
  try {
    const document = JSON.parse(text) as RecordDocument;
    if (typeof document.record?.recordId === 'string' && typeof document.signature?.signer === 'string')
      return asNamed(document, source);
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The error is thrown below.
  }
  throw new StartError(`${source} holds no record.`);
}

/** @throws StartError where a service or an archive gives one record for the id of another */
function asNamed(document: RecordDocument, source: string): RecordDocument {
  const [, named] = /(?:\/records\/|#)(rec_[0-9a-z_]+)$/i.exec(source) ?? [];
  const { recordId } = document.record;
  if (named === undefined || named.toLowerCase() === recordId.toLowerCase()) return document;
  throw new StartError(`${source} holds another record, ${recordId}.`);
}

const baseOf = (service: string): string => service.replace(/\/$/, '');

/** How long a service may take to give a record, or to say what became of it, milliseconds. */
const ASKED_MS = 10_000;

const ask = (url: string): Promise<Response> =>
  fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(ASKED_MS) });

async function fetched(url: string): Promise<string> {
  try {
    const response = await ask(url);
    if (response.status === 404) throw new StartError(`There is no record at ${url}.`);
    if (!response.ok) throw new StartError(`${url} answered ${response.status}.`);
    return await response.text();
  } catch (error) {
    if (error instanceof StartError) throw error;
    // What went wrong stands in the cause alone.
    const cause = (error as Error).cause ?? error;
    throw new StartError(`${url} does not answer: check the address (${messageOf(cause)}).`, { cause });
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StartError(`${file} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

interface PresentStatus {
  readonly document: RecordDocument;
  /** Who said it; null where nobody did. */
  readonly asked: string | null;
  /** The service that was asked and has no such record, or another one under its id. */
  readonly unknownTo: string | null;
}

/**
 * The document with what its service says now: whether the record was retracted or overturned since the document was kept.
 * A service can only add that. It is asked by the id that is signed: nobody hides by another what became of the record.
 * @param service where to ask; a document that was read from a URL is what its service says now
 */
export async function withPresentStatus(
  document: RecordDocument,
  source: string,
  service: string | null,
): Promise<PresentStatus> {
  if (/^https?:/.test(source)) return { document, asked: new URL(source).origin, unknownTo: null };
  const notTold = { document, asked: null, unknownTo: null };
  if (service === null) return notTold;
  const base = baseOf(service);
  try {
    const response = await ask(`${base}/records/${encodeURIComponent(document.record.recordId)}`);
    if (response.status === 404) return { ...notTold, unknownTo: base };
    if (!response.ok) return notTold;
    const { hash, retracted, overturned } = (await response.json()) as RecordDocument;
    if (hash !== document.hash) return { ...notTold, unknownTo: base };
    const since = {
      ...(retracted === undefined ? {} : { retracted }),
      ...(overturned === true ? { overturned } : {}),
    };
    return { document: { ...document, ...since }, asked: base, unknownTo: null };
  } catch {
    return notTold;
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
