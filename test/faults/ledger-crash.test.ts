import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ledgerAbi } from '../../chain/abi/ledger.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { verifyRecord } from '../../runtime/cli/record/record.ts';
import { recordIdOf, signRecord } from '../../runtime/records/record-id.ts';
import { insertRecord, loadRecord } from '../../store/records/records.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { runCommand } from '../fixtures/service.ts';

/**
 * Kills anchoring with SIGKILL at every step, runs it in several processes at once, and verifies records without a
 * service.
 */

const ANCHORER = new URL('../fixtures/processes/anchoring-process.ts', import.meta.url).pathname;
const signer = privateKeyToAccount(generatePrivateKey());
const children: ChildProcess[] = [];
let chain: TestChain;
let database: TestDatabase;

beforeAll(async () => {
  chain = await testChain();
});
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rpc(chain.url, 'evm_setAutomine', [true]);
  await database.drop();
});
afterAll(() => chain.stop());

/** Files records like the service: one agent's purchases, with evidence. */
async function file(name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const recordId = recordIdOf('agent-purchase', `${name}:${i}`);
    const signed = await signRecord((data) => signer.signTypedData(data), {
      recordId,
      kind: 'agent-purchase',
      issuedAt: new Date('2026-11-21T10:00:00Z'),
      subject: `agent-${i}`,
      parties: [],
      summary: `Agent ${i} of ${name} was bought.`,
      content: { name, i },
      evidence: { seen: ['a', 'b', i] },
      handle: null,
    });
    await database.db.transaction().execute((trx) => insertRecord(trx, signed));
    ids.push(recordId);
  }
  return ids;
}

function anchorer(crashAt = '-'): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', ANCHORER, database.url, chain.url, JSON.stringify(chain.deployment)],
      ...[chain.accounts.operator.privateKey, crashAt],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  return child;
}

async function end(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode ?? 'unknown';
}

const client = () => createPublicClient({ transport: http(chain.url) });

/** Everything that the operator sent to the ledger after a block, refused or not, and the result. */
async function sentSince(block: bigint): Promise<{ sent: number; anchored: Hex[] }> {
  const head = await client().getBlockNumber({ cacheTime: 0 });
  let sent = 0;
  for (let number = block + 1n; number <= head; number++) {
    const { transactions } = await client().getBlock({ blockNumber: number, includeTransactions: true });
    sent += transactions.filter((t) => t.to === chain.deployment.ledger.toLowerCase()).length;
  }
  const events = await client().getContractEvents({
    address: chain.deployment.ledger,
    abi: ledgerAbi,
    eventName: 'Anchored',
    fromBlock: block + 1n,
  });
  return { sent, anchored: events.map((e) => e.args.root!) };
}

describe('anchoring', { timeout: 180_000 }, () => {
  it.each([
    'after-seal-before-anchor',
    'after-nonce-before-send',
    'after-anchor-sent-before-receipt',
    'after-anchor-before-commit',
  ])('continues after it was killed %s, and anchors once', async (point) => {
    const start = await client().getBlockNumber({ cacheTime: 0 });
    const ids = await file(point, 3);
    expect(await end(anchorer(point))).toBe('SIGKILL');
    expect(await end(anchorer())).toBe(0);
    const { sent, anchored } = await sentSince(start);
    expect(sent).toBe(1);
    expect(anchored).toHaveLength(1);
    for (const id of ids) {
      const { batch } = (await loadRecord(database.db, id))!;
      expect(batch).toMatchObject({ anchored: true, root: anchored[0], tx: expect.stringMatching(/^0x/) });
    }
  });

  it('is not sent a second time when it was killed while its transaction was pending', async () => {
    const start = await client().getBlockNumber({ cacheTime: 0 });
    await file('waiting', 2);
    await rpc(chain.url, 'evm_setAutomine', [false]);
    expect(await end(anchorer('after-anchor-sent-before-receipt'))).toBe('SIGKILL');
    const next = anchorer();
    await once(next.stdout!, 'data');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await rpc(chain.url, 'txpool_status')).toMatchObject({ pending: '0x1', queued: '0x0' });
    await rpc(chain.url, 'evm_setAutomine', [true]);
    await rpc(chain.url, 'evm_mine');
    expect(await end(next)).toBe(0);
    expect((await sentSince(start)).sent).toBe(1);
  });

  it('in three processes at once anchors every record under one root', async () => {
    const start = await client().getBlockNumber({ cacheTime: 0 });
    const ids = await file('crowd', 30);
    const running = [anchorer(), anchorer(), anchorer()];
    ids.push(...(await file('latecomers', 5)));
    expect(await Promise.all(running.map(end))).toEqual([0, 0, 0]);
    expect(await end(anchorer())).toBe(0);
    const { anchored } = await sentSince(start);
    const roots = new Set<string>();
    for (const id of ids) {
      const { batch } = (await loadRecord(database.db, id))!;
      expect(batch?.anchored).toBe(true);
      roots.add(batch!.root);
    }
    expect([...anchored].sort()).toEqual([...roots].sort());
  });
});

describe('a saved record, without a running service', { timeout: 180_000 }, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'record-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The document of one of seven records, as the service would serve it. */
  async function saved(): Promise<Record<string, unknown>> {
    const ids = await file(`saved-${Math.random()}`, 7);
    expect(await end(anchorer())).toBe(0);
    const { record, hash, signature, evidence, batch } = (await loadRecord(database.db, ids[4]!))!;
    return {
      recordId: record.recordId,
      record,
      hash,
      signature: { signer: signer.address, value: signature },
      evidence,
      proof: { siblings: batch!.proof, root: batch!.root },
      ledger: { chainId: 1002, contract: chain.deployment.ledger, tx: batch!.tx },
    };
  }

  async function verify(document: unknown, options: { ledger?: string; signer?: string; rpc?: string } = {}) {
    const path = join(folder, 'record.json');
    writeFileSync(path, JSON.stringify(document));
    const { ledger = chain.deployment.ledger, rpc: rpcUrl = chain.url } = options;
    const given = ['record', 'verify', path, '--rpc', rpcUrl, '--ledger', ledger];
    if (options.signer) given.push('--signer', options.signer);
    return await runCommand(given, { env: { DATA_DIR: folder } });
  }

  it('is checked against hash, evidence, signature, path and root, and refused when one byte of it is changed', async () => {
    const document = await saved();
    const whole = await verify(document, { signer: signer.address });
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/holds\.\n$/) });
    expect(whole.stdout).not.toMatch(/NO/);

    /** Changes the last character of the string at a path. */
    const changed = (...path: (string | number)[]) => {
      const copy = JSON.parse(JSON.stringify(document));
      const last = path.pop()!;
      const holder = path.reduce((at, key) => at[key], copy);
      const text = String(holder[last]);
      holder[last] =
        typeof holder[last] === 'number'
          ? holder[last] + 1
          : `${text.slice(0, -2)}${text.at(-2) === '1' ? '2' : '1'}${text.at(-1)}`;
      return copy;
    };
    const { ledger } = document as { ledger: object };
    const { ledger: another } = (await saved()) as { ledger: { tx: string } };
    const cases: [object, RegExp][] = [
      [changed('record', 'summary'), /^the hash/],
      [changed('record', 'content', 'i'), /^the hash/],
      [changed('hash'), /^the hash/],
      [changed('evidence', 'seen', 2), /^the evidence/],
      [changed('signature', 'value'), /^the signature/],
      [changed('signature', 'signer'), /^the signature/],
      [changed('proof', 'siblings', 1), /^the Merkle path/],
      [changed('proof', 'root'), /^the root/],
      [{ ...document, proof: null }, /^the record stands in a batch/],
      [changed('ledger', 'contract'), /^the document names that ledger/],
      [changed('ledger', 'chainId'), /^the document names that ledger/],
      [{ ...document, ledger: { ...ledger, tx: another.tx } }, /^the transaction that the document names/],
      [{ ...document, ledger: { ...ledger, tx: '' } }, /^the transaction that the document names/],
    ];
    for (const [forged, refused] of cases) {
      const path = join(folder, 'forged.json');
      writeFileSync(path, JSON.stringify(forged));
      const checked = await verifyRecord(path, chain.url, chain.deployment.ledger);
      expect(checked.ok).toBe(false);
      expect(checked.steps.filter((s) => !s.ok).map((s) => s.step)).toContainEqual(
        expect.stringMatching(refused),
      );
    }
    const told = async (tx: unknown) => {
      writeFileSync(join(folder, 'told.json'), JSON.stringify({ ...document, ledger: { ...ledger, tx } }));
      return await verifyRecord(join(folder, 'told.json'), chain.url, chain.deployment.ledger);
    };
    const { tx } = ledger as { tx: string };
    expect(await told(tx)).toMatchObject({ ok: true, tx });
    // A node that has thrown away the receipts of that time says nothing of a transaction, and it is not told on.
    expect(await told(`0x${'ab'.repeat(32)}`)).toMatchObject({ ok: true, tx: '' });
    const { code, stdout } = await verify(changed('record', 'summary'));
    expect(stdout).toMatch(/NO {3}the hash[\s\S]*does NOT hold/);
    expect(code).toBe(1);
  });

  it('is refused on another ledger, where no ledger exists, and when somebody else should have signed', async () => {
    const document = await saved();
    for (const ledger of [chain.deployment.usdc, '0x00000000000000000000000000000000000000ad']) {
      const { code, stdout } = await verify(document, { ledger });
      expect(stdout).toMatch(/NO {3}the root is anchored/);
      expect(code).toBe(1);
    }
    const { code, stdout } = await verify(document, { signer: chain.accounts.alice.address });
    expect(stdout).toMatch(/NO {3}the signature/);
    expect(code).toBe(1);
  });

  it('is not judged when the node does not answer, or when the file contains no record', async () => {
    const document = await saved();
    const silent = await verify(document, { rpc: 'http://127.0.0.1:1' });
    expect(silent.code).not.toBe(0);
    expect(silent.stdout).toBe('');
    const none = await verify({ something: 'else' });
    expect(none).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/holds no record/) });
  });
});
