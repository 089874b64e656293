import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import { operatorKeys } from '../../api/http/auth/operator-key.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { anchorOperatorLog } from '../../runtime/operators/anchor-log.ts';
import { type LedgerSource, verifyOperatorLog } from '../../runtime/operators/verify-log.ts';
import type { Services } from '../../runtime/services.ts';
import { saveOperatorKey } from '../../store/http/operator-keys.ts';
import { type LoggedAct, lastEntry, logEntries, logOperatorAct } from '../../store/operators/operator-log.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let chain: TestChain;
let ledger: LedgerSource;
let services: Pick<Services, 'db' | 'home'>;

beforeAll(async () => {
  [database, chain] = await Promise.all([testDatabase({ max: 8 }), testChain()]);
  const { url: rpcUrl, chainId, deployment, accounts } = chain;
  const readers = { viem: viemReader({ rpcUrl, chainId }), ethers: ethersReader({ rpcUrl, chainId }) };
  const recorder = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  services = { db: database.db, home: { readers, deployment, recorder } } as unknown as typeof services;
  const fromBlock = BigInt(deployment.deployedAtBlock);
  ledger = { readers: [readers.viem, readers.ethers], ledger: deployment.ledger, fromBlock };
});
afterAll(async () => {
  await database.drop();
  await chain.stop();
});

const by = { kind: 'command', user: 'root', host: 'desk' } as const;
const act = (n: number) => ({
  by,
  act: 'agent suspend',
  subject: `agent-${n}`,
  detail: { reason: 'a complaint' },
});
const verify = (source: LedgerSource | null = ledger) => verifyOperatorLog(database.db, source);

/** Does what only somebody above the service's rights can do to its log, and undoes it after the look. */
async function tampered(change: string, look: () => Promise<void>): Promise<void> {
  const kept = await database.db.selectFrom('operator_log').selectAll().orderBy('seq').execute();
  const asOwner = async (statements: () => Promise<unknown>): Promise<void> => {
    await sql`alter table operator_log disable trigger operator_log_append_only`.execute(database.db);
    await statements();
    await sql`alter table operator_log enable trigger operator_log_append_only`.execute(database.db);
  };
  await asOwner(() => sql.raw(change).execute(database.db));
  await look();
  await asOwner(async () => {
    await database.db.deleteFrom('operator_log').execute();
    await database.db.insertInto('operator_log').values(kept).execute();
  });
  expect((await verify()).ok).toBe(true);
}

describe('the operators’ log', () => {
  it('keeps one order, however many write at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => logOperatorAct(database.db, act(n))));
    expect(await verify(null)).toEqual({ ok: true, entries: 12, anchoredUpTo: null, faults: [] });
  });

  it('is anchored with its newest entry, once', async () => {
    expect(await anchorOperatorLog(services)).toBe(true);
    expect(await anchorOperatorLog(services)).toBe(false);
    expect(await verify()).toMatchObject({ ok: true, anchoredUpTo: 12 });
    await logOperatorAct(database.db, act(12));
    expect(await verify()).toMatchObject({ ok: true, entries: 13, anchoredUpTo: 12 });
  });

  it('is only added to by whoever has the service’s rights', async () => {
    for (const change of [
      'update operator_log set hash = hash',
      'delete from operator_log where seq = 13',
      'truncate operator_log',
    ])
      await expect(sql.raw(change).execute(database.db)).rejects.toThrow('operator_log is only added to');
  });

  it('does not hold when one byte of an entry was changed', async () => {
    await tampered(
      `update operator_log set body = replace(body, 'agent-4"', 'agent-9"') where body like '%agent-4"%'`,
      async () => {
        const { ok, faults } = await verify();
        expect([ok, faults.length]).toEqual([false, 1]);
        expect(faults[0]).toMatch(/^entry \d+ is not what its hash is over$/);
      },
    );
  });

  it('does not hold when an entry was changed together with its hash', async () => {
    const changed = (await entries())[4]!.body.replace('a complaint', 'no complaint');
    await tampered(
      `update operator_log set body = '${changed}', hash = '${sha256Hex(changed)}' where seq = 5`,
      async () => expect((await verify()).faults).toEqual(['entry 6 does not follow the entry before it']),
    );
  });

  it('does not hold when an entry was taken out, or the end was cut off that the ledger knows', async () => {
    await tampered('delete from operator_log where seq = 5', async () => {
      expect((await verify()).faults[0]).toBe('the entries from 5 to 5 are missing');
    });
    await tampered('delete from operator_log where seq > 10', async () => {
      expect((await verify(null)).ok).toBe(true);
      expect((await verify()).faults[0]).toMatch(/^the ledger has 0x[0-9a-f]{64}, which is neither an entry/);
    });
  });

  it('does not hold by a batch that was written down to excuse an end that was cut off', async () => {
    const { hash } = (await entries())[11]!;
    await tampered('delete from operator_log where seq > 10', async () => {
      const { batch_id } = await database.db
        .insertInto('batches')
        .values({
          ...{ root: `0x${hash}`, size: 1, status: 'anchored' },
          tx: null,
          block: null,
          anchored_at: null,
        })
        .returning('batch_id')
        .executeTakeFirstOrThrow();
      expect((await verify()).ok).toBe(false);
      await database.db.deleteFrom('batches').where('batch_id', '=', batch_id).execute();
    });
  });

  it('counts for nothing on the word of one node', async () => {
    const lying = { ...ledger.readers[1]!, logs: async () => [] };
    await expect(verify({ ...ledger, readers: [ledger.readers[0]!, lying] })).rejects.toThrow(
      'different roots',
    );
  });

  it('has an act over HTTP with its key before it is done, and no reading', async () => {
    const key = 'op_key-0123456789abcdef';
    await saveOperatorKey(database.db, { id: 'key_1', name: 'desk', hash: sha256Hex(key), scopes: ['*'] });
    const requireOperator = operatorKeys({ db: database.db });
    const app = await server({
      db: database.db,
      routes: [
        (a) => {
          for (const method of ['GET', 'POST'] as const)
            a.route({
              method,
              url: '/acts/:of',
              schema: { hide: true },
              handler: async (request) => {
                await requireOperator(request, 'registers');
                if (method === 'POST') throw new Error('it failed after all');
                return {};
              },
            });
        },
      ],
    });
    const before = await lastEntry(database.db);
    const headers = { authorization: `Bearer ${key}` };
    await app.inject({ method: 'GET', url: '/acts/lists', headers });
    expect(await lastEntry(database.db)).toEqual(before);
    await app.inject({ method: 'POST', url: '/acts/lists', headers, payload: { rows: 2 } });
    const { body } = (await lastEntry(database.db))!;
    expect(JSON.parse(body) as LoggedAct).toMatchObject({
      by: { kind: 'key', id: 'key_1', name: 'desk' },
      act: 'POST /acts/:of',
      subject: '/acts/lists',
      detail: { body: sha256Hex('{"rows":2}') },
      previous: before!.hash,
    });
    expect(body).not.toContain(key);
    await app.close();
  });
});

async function entries() {
  const all = [];
  for await (const entry of logEntries(database.db)) all.push(entry);
  return all;
}
