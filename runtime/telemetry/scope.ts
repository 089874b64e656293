import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose behalf the present work is done: what its log lines say, and the trace that it is part of. */
interface Scope {
  /** Such as `actor`, `effect`, `attempt`, `requestId`. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** A `traceparent` (W3C Trace Context, level 1); null where nothing is traced. */
  readonly trace: string | null;
}

const scopes = new AsyncLocalStorage<Scope>();
const NONE: Scope = { bindings: {}, trace: null };

/** Runs `work`, and all that it starts, in the present scope with this added. */
export function within<T>(add: Partial<Scope>, work: () => T): T {
  const { bindings, trace } = scopes.getStore() ?? NONE;
  return scopes.run({ bindings: { ...bindings, ...add.bindings }, trace: add.trace ?? trace }, work);
}

/** For every log line: pino's `mixin`. */
export function scopeBindings(): object {
  const { bindings, trace } = scopes.getStore() ?? NONE;
  return trace === null ? { ...bindings } : { ...bindings, traceId: trace.split('-')[1] };
}

export function currentTrace(): string | null {
  return scopes.getStore()?.trace ?? null;
}

/** Where a trace travels in the JSON of an event or an effect, between the mailbox batch that asks and the worker that runs it. */
const MEMBER = '$trace';

/** Adds the trace to what is written; what is not traced is written as it is. */
export function carrying<T extends object>(json: T, trace: string | null): T {
  return trace === null ? json : { ...json, [MEMBER]: trace };
}

/** Takes the trace out of what was written, so that neither machine nor runner ever sees it. */
export function carried<T extends object>(json: T): { json: T; trace: string | null } {
  if (!(MEMBER in json)) return { json, trace: null };
  const { [MEMBER]: trace, ...rest } = json as Record<string, unknown>;
  return { json: rest as T, trace: typeof trace === 'string' ? trace : null };
}
