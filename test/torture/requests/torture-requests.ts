import type { TortureStage } from '../stage.ts';
import type { Sent } from './send.ts';

export interface RequestsTorture {
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly reached: Sent['reached'];
  readonly slowestMs: number;
  readonly faults: readonly string[];
  /** What the heap held after the first third, when every cache is warm, and at the end, in bytes. */
  readonly heap: { readonly warm: number; readonly end: number };
}

/** Caches fill for a while; whatever is kept of a request beyond that adds up to more. */
const GROWTH = { bytes: 16_000_000, each: 100 };

/** Sends generated requests. @returns what came of it; `faults` holds whatever must not be */
export async function tortureByRequests(
  stage: TortureStage,
  seed: string,
  requests: number,
): Promise<RequestsTorture> {
  const warming = await stage.send(`${seed}/warm`, Math.floor(requests / 3));
  const warm = await stage.heap();
  const sent = await stage.send(seed, requests - Math.floor(requests / 3));
  const end = await stage.heap();
  const faults = [...warming.faults, ...sent.faults];
  if (stage.service.errors() !== '') faults.push(`standard error: ${stage.service.errors().slice(0, 600)}`);
  if (end - warm > GROWTH.bytes + GROWTH.each * requests)
    faults.push(`the heap grew from ${warm} to ${end} bytes`);
  const statuses = { ...warming.statuses };
  for (const [status, count] of Object.entries(sent.statuses))
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  return {
    ...{ requests, statuses, reached: sent.reached, faults, heap: { warm, end } },
    slowestMs: Math.max(warming.slowestMs, sent.slowestMs),
  };
}
