import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { documentHash } from '../../../agents/canonical.ts';
import {
  type ListSnapshot,
  packEntries,
  type SignedSnapshot,
  snapshotTypedData,
} from '../../../agents/registers/list-snapshot.ts';

/** A server that gives signed lists as the service does, and nothing else: whatever else it is asked, it is away. */
export interface ListService {
  readonly url: string;
  readonly signer: string;
  /** How often it gave its lists. */
  readonly given: () => number;
  /** What it gives from now on; null: it is away. */
  give(signed: SignedSnapshot | null): void;
  sign(snapshot: ListSnapshot): Promise<SignedSnapshot>;
  close(): void;
}

export async function listService(): Promise<ListService> {
  const key = privateKeyToAccount(generatePrivateKey());
  let current: SignedSnapshot | null = null;
  let given = 0;
  const server = createServer((request, response) => {
    const known = request.url === '/origin/lists' && current !== null;
    if (known) given++;
    response.writeHead(known ? 200 : 503, { 'content-type': 'application/json' });
    response.end(known ? JSON.stringify(current) : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signer: key.address,
    given: () => given,
    give: (signed) => {
      current = signed;
    },
    sign: async (snapshot) => ({
      snapshot,
      hash: documentHash(snapshot),
      signature: { signer: key.address, value: await key.signTypedData(snapshotTypedData(snapshot)) },
    }),
    close: () => server.close(),
  };
}

const DAY_MS = 86_400_000;

/** Lists that name these, as of now. */
export function snapshotOf(
  {
    hosts = [],
    addresses = [],
  }: { readonly hosts?: readonly string[]; readonly addresses?: readonly string[] },
  issuedAt: Date = new Date(),
): ListSnapshot {
  const list = (name: string, holds: 'hosts' | 'addresses', keys: readonly string[]) => ({
    ...{ list: name, holds, asOf: issuedAt.toISOString(), maxAgeDays: 30, synthetic: true },
    ...{ rows: keys.length, entries: packEntries(keys.map((key) => key.toLowerCase())) },
  });
  return {
    version: 1,
    issuedAt: issuedAt.toISOString(),
    expiresAt: new Date(issuedAt.getTime() + DAY_MS).toISOString(),
    lists: [list('phishing-domains/test', 'hosts', hosts), list('known-scam/test', 'addresses', addresses)],
  };
}
