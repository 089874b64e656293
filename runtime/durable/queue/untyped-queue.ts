import type { BackendFactory, createPostgresBackend, RedisQueueBackend } from 'bullmq';

/**
 * BullMQ types a queue by where it keeps its jobs, and whatever takes a queue (its board among it) by Redis alone. What
 * this service asks of a queue is the same with both, so both pass as what BullMQ takes for granted. The only place in
 * `runtime/` where a type is put aside.
 */
export function asAnyBackend(factory: typeof createPostgresBackend): BackendFactory<RedisQueueBackend> {
  return factory as unknown as BackendFactory<RedisQueueBackend>;
}
