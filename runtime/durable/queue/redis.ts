import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { redisNodes } from './redis-nodes.ts';

/** One Redis, or a cluster. */
export type RedisClient = Redis | Cluster;

/** A client that connects by itself, unless `lazyConnect` says otherwise. Of a cluster, each of its nodes has the options. */
export function openRedis(redisUrl: string, options: RedisOptions): RedisClient {
  const nodes = redisNodes(redisUrl);
  if (nodes.length === 1) return new Redis(redisUrl, options);
  const { username, password, protocol } = new URL(nodes[0]);
  const { lazyConnect, enableOfflineQueue, retryStrategy, ...each } = options;
  return new Cluster([...nodes], {
    ...(lazyConnect === undefined ? {} : { lazyConnect }),
    ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
    ...(retryStrategy ? { clusterRetryStrategy: (times: number) => retryStrategy(times) } : {}),
    // Certificates name hosts: what the cluster tells of its nodes is not looked up.
    ...(protocol === 'rediss:' ? { dnsLookup: (address, found) => found(null, address) } : {}),
    redisOptions: {
      ...each,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}
