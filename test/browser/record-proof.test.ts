import type { Browser } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { merkleTree } from '../../agents/records/merkle.ts';
import { makeRecord } from '../../agents/records/record.ts';
import { assetRoutes } from '../../api/assets/assets.ts';
import type { App } from '../../api/http/app.ts';
import { prefersHtml, replyPage } from '../../api/http/negotiate.ts';
import { PROOF, WALLET } from '../../api/words/browser.ts';
import { server } from '../conformance/api/server-fixture.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';
import { samplePages } from './sample-pages.ts';

const PAGE = '/records/rec_01k6n5q3w8';
const ADDRESS = `0x${'ab'.repeat(20)}`;
const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`);

/** A record as the service serves it: signed, and under the root of its batch. */
async function served(evidence: object, since: object = {}) {
  const { record, hash } = makeRecord({
    ...{ recordId: 'rec_01k6n5q3w8', kind: 'determination', subject: ADDRESS, summary: 'CLEAN' },
    ...{ issuedAt: new Date('2026-11-21T07:00:00Z'), content: { record: { verdict: 'CLEAN' } }, evidence },
  });
  const tree = merkleTree([hash, `0x${'22'.repeat(32)}`]);
  return {
    ...{ recordId: record.recordId, record, hash, evidence, ...since },
    signature: { signer: signer.address, value: await signer.signTypedData(recordTypedData(record, hash)) },
    proof: { siblings: tree.proof(0), root: tree.root },
    ledger: { chainId: 1002, contract: ADDRESS as Hex, tx: '0x1' },
  };
}

describe.runIf(CHROMIUM !== undefined)('a record that is checked in the browser', () => {
  let app: App;
  let url: string;
  let browser: Browser;
  let document: object;

  beforeAll(async () => {
    const shown = samplePages('http://handshake.test')[PAGE]!;
    const record = (a: App) =>
      a.get(PAGE, async (request, reply) =>
        prefersHtml(request) ? replyPage(reply, shown) : reply.send(document),
      );
    app = await server({ routes: [assetRoutes, record] });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** What the page says of each step, by how it came out. */
  const checked = async (what: object, wallet: Readonly<Record<string, string>> | null = null) => {
    document = what;
    const page = patient(await browser.newPage());
    if (wallet !== null) await page.addInitScript(walletOf(wallet));
    await page.goto(url + PAGE);
    if (wallet !== null) {
      await page.locator('connect-wallet button').click();
      await page.getByRole('button', { name: '0xabab…abab' }).waitFor();
    }
    await page.getByRole('button', { name: PROOF.check }).click();
    const steps = page.locator('.proof-steps li');
    await steps.first().waitFor();
    const all = await steps.allTextContents();
    await page.close();
    const that = (came: keyof typeof PROOF.results) => all.filter((s) => s.startsWith(PROOF.results[came]));
    return { open: that('open'), holds: that('holds'), holdsNot: that('holdsNot') };
  };

  /** A wallet that answers so, and refuses whatever else it is asked. */
  const walletOf = (answers: Readonly<Record<string, string>>) => `window.ethereum = {
    request: async ({ method }) => {
      if (/accounts$/i.test(method)) return ['${ADDRESS}'];
      const answer = ${JSON.stringify(answers)}[method];
      if (answer === undefined) throw { code: 4001, message: 'not now' };
      return answer;
    },
  }`;
  const HOME = '0x3ea';
  const holdsRoot = PROOF.root(ADDRESS);

  it('holds where the ledger has its root, and does not where it has none, or there is no ledger', async () => {
    const [whole, word] = [await served({ a: 1 }), (last: string) => `0x${last.padStart(64, '0')}`];
    for (const [answer, holds] of [
      [word('7'), true],
      [word('0'), false],
      ['0x', false],
    ] as const) {
      const { holds: held, holdsNot } = await checked(whole, { eth_chainId: HOME, eth_call: answer });
      expect([held.length, (holds ? held : holdsNot).at(-1)]).toEqual([
        holds ? 7 : 6,
        expect.stringContaining(holdsRoot),
      ]);
    }
  });

  it('says what does not hold where the wallet refuses, too, and that it refused', async () => {
    const forged = { ...(await served({ a: 1 })), hash: `0x${'44'.repeat(32)}` };
    const refusing: Readonly<Record<string, string>>[] = [{}, { eth_chainId: HOME }];
    for (const answers of refusing) {
      const { open, holdsNot } = await checked(forged, answers);
      expect(holdsNot).toEqual([expect.stringContaining('keccak-256')]);
      expect(open.at(-1)).toContain(`${holdsRoot} ${WALLET.refused('not now')}`);
    }
  });

  it('holds where it is whole; who must have signed and which ledger counts is not decided by the page', async () => {
    const { holds, open, holdsNot } = await checked(await served({ a: 1 }));
    expect(holds).toEqual([
      expect.stringContaining('keccak-256'),
      expect.stringContaining("the record's"),
      expect.stringContaining('evidence'),
      expect.stringContaining(signer.address),
      expect.stringContaining('batch'),
      expect.stringContaining('Merkle path'),
    ]);
    expect(open).toEqual([expect.stringContaining(PROOF.named), expect.stringContaining(PROOF.connect)]);
    expect(holdsNot).toEqual([]);
  });

  it('does not hold once it was retracted or overturned', async () => {
    const retracted = { retracted: { reason: 'a wrong list', at: '2026-11-22T07:00:00Z' } };
    for (const since of [retracted, { overturned: true }])
      expect((await checked(await served({ a: 1 }, since))).holdsNot).toEqual([
        expect.stringContaining('took it back'),
      ]);
  });

  it('does not hold where nothing proves that a list is silent', async () => {
    const lists = [{ name: 'OFAC', asOf: '2026-11-20', rows: 2, root: `0x${'33'.repeat(32)}` }];
    const sanctions = { register: 'sanctions', maxAgeDays: 7, lists, lookedUp: [ADDRESS], hits: [] };
    const evidence = { determinations: [{ id: 'wallet', common: { sanctions } }] };
    const { holdsNot } = await checked(await served(evidence));
    expect(holdsNot).toEqual([expect.stringContaining('OFAC does not name')]);
  });

  it('leaves open what is withheld, and a batch that has not come yet', async () => {
    const whole = await served({ a: 1 });
    const { open } = await checked({
      ...whole,
      evidence: null,
      withheld: 'by law',
      proof: null,
      ledger: null,
    });
    expect(open.slice(0, 2)).toEqual([expect.stringContaining('withheld'), expect.stringContaining('batch')]);
  });
});
