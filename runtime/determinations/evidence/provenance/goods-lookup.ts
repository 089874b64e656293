import type { SerialAsset } from '../../../../agents/certificates/certificates.ts';
import type { RegisterLookup } from '../../../../agents/determinations/provenance/provenance-evidence.ts';
import { MAX_AGE_DAYS } from '../../../../agents/determinations/provenance/register-row.ts';

/**
 * A register of goods that others keep, asked for one serial at a time. Never throws: a missing answer is an answer
 * with a fault.
 */
export interface GoodsLookup {
  readonly register: RegisterLookup['register'];
  ask(serial: SerialAsset, key: string): Promise<RegisterLookup>;
}

interface LookupOptions {
  readonly register: RegisterLookup['register'];
  /** The URL; `{kind}`, `{serial}` and `{key}` are replaced. */
  readonly template: string;
  readonly now: () => Date;
  /** The limit for one whole answer; 3,000 when absent. */
  readonly timeoutMs?: number;
  /** How many look-ups one process may make in a minute; 60 when absent. */
  readonly perMinute?: number;
}

/** An answer about one serial is short, so a longer one is refused. */
const LONGEST_ANSWER = 64 * 1024;
const DAY_MS = 86_400_000;
/** A clock elsewhere may be so much ahead. */
const MOST_AHEAD_MS = 60_000;

/**
 * Asks over HTTP with GET, and accepts only a JSON answer that says `listed: true` or `listed: false`, with an optional
 * `reference` and `asOf`, which must be no older than an imported list of this register may be. Anything else (a time-out, another status, a redirection, another form) is no answer. A thing
 * about which nobody could be asked is never "not listed".
 */
export function goodsLookup(options: LookupOptions): GoodsLookup {
  const { register, template, now, timeoutMs = 3_000, perMinute = 60 } = options;
  const name = new URL(withSerial(template, { kind: '', serial: '', key: '' })).host;
  const asked: number[] = [];
  return {
    register,
    async ask(serial, key) {
      const at = now();
      const head = { register, name, key, asOf: at.toISOString(), answer: null, reference: null };
      while (asked.length > 0 && asked[0]! <= at.getTime() - 60_000) asked.shift();
      if (asked.length >= perMinute)
        return { ...head, fault: `more than ${perMinute} look-ups in a minute are not made` };
      asked.push(at.getTime());
      try {
        const url = withSerial(template, { kind: serial.serialKind, serial: serial.serial, key });
        return { ...head, ...read(await fetchShort(url, timeoutMs), register, at), fault: null };
      } catch (error) {
        return { ...head, fault: wordsOf(error, timeoutMs) };
      }
    },
  };
}

class NoAnswer extends Error {}

function withSerial(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(kind|serial|key)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

async function fetchShort(url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new NoAnswer(`it answers HTTP ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > LONGEST_ANSWER) throw new NoAnswer('its answer is too long');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new NoAnswer('its answer is no JSON');
  }
}

function read(
  value: unknown,
  register: RegisterLookup['register'],
  at: Date,
): Pick<RegisterLookup, 'answer' | 'reference' | 'asOf'> {
  const { listed, reference, asOf } = (value ?? {}) as Record<string, unknown>;
  if (typeof listed !== 'boolean') throw new NoAnswer('its answer does not say whether it is listed');
  const shown = asOf === undefined ? at : new Date(String(asOf));
  if (Number.isNaN(shown.getTime())) throw new NoAnswer('its answer has a date that is none');
  const age = at.getTime() - shown.getTime();
  if (age < -MOST_AHEAD_MS) throw new NoAnswer('its answer has a date in the future');
  // What is listed stays reported, however old that is.
  if (!listed && age > MAX_AGE_DAYS[register] * DAY_MS)
    throw new NoAnswer(
      `its answer is of ${shown.toISOString()}: too old to say "not listed" after ${MAX_AGE_DAYS[register]} days`,
    );
  return {
    answer: listed ? 'listed' : 'not-listed',
    reference: typeof reference === 'string' ? reference.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100) : null,
    asOf: shown.toISOString(),
  };
}

/**
 * The text for a public record, without the address asked, which may contain a key, and without the network's error
 * text.
 */
function wordsOf(error: unknown, timeoutMs: number): string {
  if (error instanceof NoAnswer) return error.message;
  const late = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  return late ? `no answer within ${timeoutMs} ms` : 'it cannot be reached';
}
