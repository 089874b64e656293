/** The addresses that `REDIS_URL` names: of one Redis, or of some nodes of a cluster, separated by commas. */
export function redisNodes(redisUrl: string): readonly [string, ...string[]] {
  const [first = redisUrl, ...others] = redisUrl.split(/,\s*(?=rediss?:\/\/)/);
  return [first, ...others];
}

/** Whether it is a cluster, in which keys that are used together must say so by a hash tag. */
export function isRedisCluster(redisUrl: string): boolean {
  return redisNodes(redisUrl).length > 1;
}

/** Where it is, without user and password. */
export function redisHosts(redisUrl: string): string {
  return redisNodes(redisUrl)
    .map((node) => new URL(node).host)
    .join(', ');
}
