/** A paid question about another wallet for each number, as callers ask. */
export function queryOf(n: number): string {
  return `/determination?address=0x71c7656ec7ab88b098de${n.toString(16).padStart(20, '0')}&chainId=1002`;
}
