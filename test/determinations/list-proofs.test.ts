import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHash } from '../../agents/canonical.ts';
import type { RegisterState } from '../../agents/determinations/panel/lists.ts';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { makeRecord } from '../../agents/records/record.ts';
import { verifyRecord } from '../../runtime/cli/record/record.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { walletDraft } from '../../runtime/determinations/drafts.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const NOW = new Date();
const WHO = `0x${'7a'.repeat(20)}`;
const address = (n: number): string =>
  `0x${(n * 2_654_435_761).toString(16).padStart(40, n % 2 === 0 ? '3' : 'c')}`;
const many = (n: number): string[] => Array.from({ length: n }, (_, i) => address(i + 1));
const account = privateKeyToAccount(generatePrivateKey());

let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

async function list(
  register: 'sanctions' | 'known-scam',
  keys: readonly string[],
  detail = {},
): Promise<void> {
  const rows = (async function* () {
    for (const key of keys) yield { key, detail };
  })();
  await importRegister(database.db, { register, source: 'one', asOf: NOW, mode: 'replace', rows });
}

beforeAll(async () => {
  database = await testDatabase();
  deps = { db: database.db, readers: new Map(), deployments: new Map(), now: () => NOW };
  await list('sanctions', many(70));
  await list('known-scam', many(900));
});
afterAll(async () => await database?.drop());

const on = (who: string) => determineWallet(deps, { address: who, chainId: 1002, depth: '2-of-2' });
const commonOf = (answer: Awaited<ReturnType<typeof on>>) =>
  answer.evidence.determinations[0]!.common as WalletCommon;

/** A record's file as it is served, signed, and what is told of each of its lists. */
async function stepsOf(answer: Awaited<ReturnType<typeof on>>, change: (text: string) => string) {
  const { record: made } = makeRecord(walletDraft(answer, { recordId: 'rec_1', issuedAt: NOW }));
  const evidence: unknown = JSON.parse(change(JSON.stringify(answer.evidence)));
  // Whoever changes the evidence and signs for it anew still cannot change what the list's root says.
  const record = { ...made, evidenceHash: documentHash(evidence) };
  const hash = documentHash(record);
  const value = await account.signTypedData(recordTypedData(record, hash));
  const signature = { signer: account.address, value };
  const file = join(mkdtempSync(join(tmpdir(), 'record-')), 'record.json');
  const document = { recordId: 'rec_1', record, hash, signature, evidence, proof: null, ledger: null };
  writeFileSync(file, JSON.stringify(document));
  return (await verifyRecord(file, null, null)).steps;
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 9162, section 2.1.3.2, as it stands there; null where the path does not end at the root. */
function folded(key: string, index: number, size: number, path: readonly string[]): string | null {
  let [fn, sn, r] = [index, size - 1, sha256(Buffer.of(0), key)];
  for (const sibling of path) {
    if (sn === 0) return null;
    const p = Buffer.from(sibling, 'hex');
    const isRight = fn % 2 === 1 || fn === sn;
    r = isRight ? sha256(Buffer.of(1), p, r) : sha256(Buffer.of(1), r, p);
    if (isRight) while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 ? r.toString('hex') : null;
}

describe('a record of a wallet', () => {
  it('is proved by a reader who has the specification alone', async () => {
    for (const who of Array.from(
      { length: 40 },
      (_, i) => `0x${(i * 6 + 3).toString(16).padStart(2, '0').repeat(20)}`,
    )) {
      const { knownScam } = commonOf(await on(who));
      const { root = '', rows } = knownScam.lists[0]!;
      const { before, after } = knownScam.proofs![0]!;
      expect([before?.index ?? -1, after?.index ?? rows]).toEqual([
        (after?.index ?? rows) - 1,
        (before?.index ?? -1) + 1,
      ]);
      if (before !== null) expect(folded(before.key, before.index, rows, before.path)).toBe(root);
      if (after === null) continue;
      // As many of the last siblings of the one path as the other lacks.
      const ways = (before?.path ?? []).map((_, lacks) => before!.path.slice(before!.path.length - lacks));
      const whole = [...ways, before?.path ?? []].map((end) => [...after.path, ...end]);
      expect(whole.filter((path) => folded(after.key, after.index, rows, path) === root)).toHaveLength(1);
    }
  });

  it('proves without a service or a chain that its lists do not name the address', async () => {
    const steps = await stepsOf(await on(WHO), (text) => text);
    const silences = steps.filter((s) => s.step.includes('does not name'));
    expect(silences.map((s) => [s.step.split(' ')[0], s.ok])).toEqual([
      ['sanctions/one', true],
      ['known-scam/one', true],
    ]);
    expect(steps.filter((s) => !s.ok).map((s) => s.step)).toEqual(['the record stands in a batch']);
  });

  it('proves nothing once a byte of a neighbour, a sibling or a root is changed', async () => {
    const answer = await on(WHO);
    const { proofs, lists } = commonOf(answer).knownScam;
    const [proof] = proofs as NonNullable<RegisterState['proofs']>;
    const flip = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith('a') ? 'b' : 'a'}`;
    for (const part of [proof!.before!.key, proof!.after!.key, proof!.before!.path[3]!, lists[0]!.root!]) {
      const steps = await stepsOf(answer, (text) => text.replaceAll(part, flip(part)));
      expect(steps.find((s) => s.step.startsWith('known-scam/one'))?.ok).toBe(false);
    }
  });

  it('names the root of each list in its coverage', async () => {
    const { coverage } = (await on(WHO)).record;
    expect(coverage.lists.map((l) => l.root)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.any(String),
    ]);
  });

  it('says whose a listed address is by the list', async () => {
    await list('sanctions', [...many(70), WHO], { name: 'Some ONE', programs: 'CYBER2' });
    const { record } = await on(WHO);
    expect(record.evidence.checks.find((c) => c.id === 'list-sanctions')).toMatchObject({
      outcome: 'FLAG',
      detail: 'on sanctions/one (Some ONE, CYBER2)',
    });
  });

  it('clears at once when its list does, and tells that it was listed and until when', async () => {
    await list('sanctions', many(70));
    const { record } = await on(WHO);
    expect(record.evidence.checks.find((c) => c.id === 'list-sanctions')).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringMatching(/it was on sanctions\/one from 2.*Z until 2.*Z, .*held against nobody/),
    });
    expect(commonOf(await on(WHO)).sanctions.retracted).toHaveLength(1);
  });
});
