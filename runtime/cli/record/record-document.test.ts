import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyRecord } from './record.ts';
import { readDocument, sourceOf } from './record-document.ts';

const HASH = `0x${'1'.repeat(64)}`;
const kept = {
  recordId: 'rec_1',
  record: {
    recordId: 'rec_1',
    kind: 'determination',
    subject: 'x',
    issuedAt: '2026-11-01T00:00:00.000Z',
    evidenceHash: null,
  },
  hash: HASH,
  signature: { signer: `0x${'2'.repeat(40)}`, value: '0x' },
  evidence: null,
  proof: null,
  ledger: null,
};
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A service that has this to say of the record of this id now. */
async function service(said: object, recordId = 'rec_1'): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === `/records/${recordId}` ? 200 : 404;
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function keptFile(document: object = kept): string {
  const folder = mkdtempSync(join(tmpdir(), 'kept-record-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'record.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
}

describe('a document that was kept', () => {
  it('is withdrawn where its service says that it was retracted or overturned since', async () => {
    const retracted = { reason: 'a wrong list', at: '2026-11-02T00:00:00.000Z' };
    for (const [since, withdrawn] of [
      [{ retracted }, 'retracted'],
      [{ overturned: true }, 'overturned'],
    ] as const) {
      const asked = await service({ ...kept, ...since });
      const checked = await verifyRecord(keptFile(), null, null, undefined, `${asked}/`);
      expect(checked).toMatchObject({ ok: false, withdrawn, asked });
      expect(checked.steps.at(-1)?.step).toContain('the service took it back');
    }
  });

  it('says which service was asked where it was not taken back', async () => {
    const asked = await service(kept);
    expect(await verifyRecord(keptFile(), null, null, undefined, asked)).toMatchObject({
      withdrawn: null,
      asked,
    });
  });

  it('says that none was asked where none is named, or it does not answer', async () => {
    for (const named of [null, 'http://127.0.0.1:9'])
      expect(await verifyRecord(keptFile(), null, null, undefined, named)).toMatchObject({
        ...{ withdrawn: null, asked: null, unknownTo: null },
      });
  });

  it('says that its service has no such record where it has none, or another one, under the id', async () => {
    const other = await service({ ...kept, hash: `0x${'3'.repeat(64)}`, overturned: true });
    const none = await service(kept, 'rec_2');
    for (const unknownTo of [other, none])
      expect(await verifyRecord(keptFile(), null, null, undefined, unknownTo)).toMatchObject({
        ...{ withdrawn: null, asked: null, unknownTo },
      });
  });

  it('is known, asked about and named by the id that is signed, whatever id is written around it', async () => {
    const asked = await service({ ...kept, overturned: true });
    const forged = keptFile({ ...kept, recordId: 'rec_2' });
    const checked = await verifyRecord(forged, null, null, undefined, asked);
    expect(checked).toMatchObject({ ok: false, recordId: 'rec_1', withdrawn: 'overturned', asked });
    expect(checked.steps).toContainEqual({ step: "the document's id is the record's", ok: false });
  });

  it('is another record where a service gives it for an id that is not its own', async () => {
    const url = `${await service(kept, 'rec_2')}/records/rec_2`;
    await expect(readDocument(url)).rejects.toThrow(`${url} holds another record, rec_1.`);
  });
});

describe('a document that cannot be read', () => {
  const verify = async (source: string) => await verifyRecord(source, null, null);

  it('is told with the address that does not answer, and why', async () => {
    await expect(verify('http://127.0.0.1:1/records/rec_1')).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/records\/rec_1 does not answer: check the address \(.+\)\.$/,
    );
    await expect(verify('http://')).rejects.toThrow(
      /^http:\/\/ does not answer: check the address \(.+\)\.$/,
    );
    await expect(verify(tmpdir())).rejects.toThrow(/cannot be read: EISDIR/);
  });

  it('is told to be no file where it is no id of a record either', () => {
    for (const given of ['/tmp/nofile.json', 'nofile.jsonl#rec_1'])
      for (const at of ['http://handshake.test', null])
        expect(() => sourceOf(given, at)).toThrow(`There is no file ${given}: give a file, a URL, or the id`);
    expect(sourceOf('rec_1', 'http://handshake.test')).toBe('http://handshake.test/records/rec_1');
    expect(() => sourceOf('rec_1', null)).toThrow('or its URL, such as https://');
    expect(sourceOf('rec_1', 'https://handshake.example/')).toBe('https://handshake.example/records/rec_1');
  });

  it('is not waited for where an address takes the question and never answers', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/records/rec_1`;
    await expect(readDocument(url)).rejects.toThrow(/does not answer: check the address \(.*timeout/);
  }, 20_000);
});
