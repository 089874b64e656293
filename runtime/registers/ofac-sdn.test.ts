import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListError, readLines, readScamSniffer } from './list-content.ts';
import { readOfacSdn } from './ofac-sdn.ts';

const ETH = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';
const SOL = 'CYiDy8YTDZyZCNYnwVqnsQsW2VaiGNgeqtCnzMhFoh1o';
const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';

/** Two entries as `SDN.XML` writes them; its tag of the publication is misspelled there too. */
const entry = (uid: number, ids: string): string => `
  <sdnEntry>
    <uid>${uid}</uid>
    <firstName>Some &amp; one</firstName>
    <lastName>KNOWN</lastName>
    <sdnType>Individual</sdnType>
    <programList><program>CYBER2</program><program>DPRK3</program></programList>
    <idList>${ids}</idList>
    <akaList><aka><uid>9</uid><lastName>OTHER</lastName></aka></akaList>
  </sdnEntry>`;
const id = (type: string, number: string): string =>
  `<id><uid>77</uid><idType>${type}</idType><idNumber>${number}</idNumber></id>`;
const wallets =
  id('Digital Currency Address - ETH', ETH) +
  id('Digital Currency Address - XBT', BTC) +
  id('Digital Currency Address - SOL', SOL) +
  id('Passport', ETH.replace('8', '9'));
const list = (body = entry(1, wallets) + entry(2, ''), count = 2): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/18/2026</Publish_Date><Record_Count>${count}</Record_Count></publshInformation>${body}
</sdnList>`;

/** As a network hands it over: in pieces that fall anywhere. */
async function* pieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (text: string, size?: number) => readOfacSdn(pieces(text, size));

describe('the published list of sanctions', () => {
  it('gives the addresses that can be asked about, with whose they are, and counts the others', async () => {
    const { rows, kept, left, published } = await read(list());
    expect(published).toEqual(new Date('2026-11-18T00:00:00Z'));
    expect([kept, left]).toEqual([{ ETH: 1, SOL: 1 }, { XBT: 1 }]);
    const detail = { uid: '1', name: 'Some & one KNOWN', programs: 'CYBER2, DPRK3' };
    expect(rows).toEqual([
      { key: ETH.toLowerCase(), detail: { ...detail, currency: 'ETH' } },
      { key: SOL, detail: { ...detail, currency: 'SOL' } },
    ]);
  });

  it('is read in the form in which it is published, and each address is counted by its currency', async () => {
    const published = readFileSync(new URL('../../test/fixtures/lists/SDN.XML', import.meta.url), 'utf8');
    const { rows, kept, left } = await read(published, 1_000);
    expect(kept).toEqual({ BSC: 1, ETH: 2, SOL: 1, USDT: 1 });
    expect(left).toEqual({ LTC: 1, TRX: 1, USDT: 1, XBT: 2, XMR: 1 });
    expect(rows.map(({ detail }) => [detail.uid, detail.name, detail.currency])).toEqual([
      ['102', 'Exämple PERSON', 'ETH, USDT'],
      ['102', 'Exämple PERSON', 'SOL'],
      ['103', 'EXAMPLE EXCHANGE', 'ETH'],
      ['103', 'EXAMPLE EXCHANGE', 'BSC'],
    ]);
    expect(await read(`\uFEFF${published}`)).toEqual(await read(published));
  });

  it('passes over no currency that is written in a way of its own', async () => {
    const odd = [
      'Digital Currency Address - usdc.e',
      'Digital Currency Address',
      'Digital Currency Address: <b>',
    ];
    const ids = odd.map((type) => id(type.replace('<', '&lt;'), ETH)).join('');
    const { rows, kept } = await read(list(entry(1, ids), 1));
    expect([rows.length, kept]).toEqual([1, { 'usdc.e': 1, 'of no named currency': 1, b: 1 }]);
  });

  it('reads the same however it comes in pieces', async () => {
    const whole = await read(list(), 1_000_000);
    for (const size of [1, 2, 3, 64]) expect(await read(list(), size)).toEqual(whole);
  });

  it.each([
    ['ends before its end', list().slice(0, -30)],
    ['ends between two entries', list(`${entry(1, wallets)}`)],
    ['has fewer entries than it says', list(entry(1, wallets), 2)],
    ['declares a document type', list().replace('<sdnList', '<!DOCTYPE sdnList [<!ENTITY a "b">]><sdnList')],
    [
      'would grow without bound',
      list(`<x>&lol9;</x>`).replace(
        '<sdnList',
        '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;&lol;&lol;">]><sdnList',
      ),
    ],
    [
      'would read a file',
      list('<x>&xxe;</x>').replace('<sdnList', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><sdnList'),
    ],
    ['names an entity of nobody', list('<x>&xxe;</x>')],
    ['is another document', '<html><body>Service unavailable</body></html>'],
    ['is its advanced form', '<Sanctions xmlns="a"><DateOfIssue/></Sanctions>'],
    ['is no XML', '{"sdnList":[]}'],
    ['is empty', ''],
    ['nests without end', list('<a>'.repeat(200))],
    ['holds an endless text', list(`<x>${'y'.repeat(300_000)}</x>`)],
    ['does not say when it was published', list().replace(/<Publish_Date>.*<\/Publish_Date>/, '')],
    ['was published on no day', list().replace('11/18/2026', '13/45/2026')],
  ])('that %s is refused', async (_, text) => {
    await expect(read(text)).rejects.toBeInstanceOf(ListError);
  });

  it('that is not UTF-8 is refused', async () => {
    const bytes = Buffer.from(list());
    bytes[bytes.indexOf('KNOWN')] = 0xff;
    async function* broken() {
      yield bytes;
    }
    await expect(readOfacSdn(broken())).rejects.toBeInstanceOf(ListError);
  });

  it('never fails but with a word of why, whatever comes', async () => {
    const hostile = fc
      .tuple(fc.nat({ max: list().length - 1 }), fc.nat({ max: 40 }), fc.string())
      .map(([at, cut, put]) => `${list().slice(0, at)}${put}${list().slice(at + cut)}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), hostile), async (text) => {
        await read(text, 4_096).catch((error: unknown) => expect(error).toBeInstanceOf(ListError));
      }),
    );
  });
});

describe('a list of scams', () => {
  it('is read as addresses, or as addresses by domain', () => {
    expect(readScamSniffer(JSON.stringify([ETH, ETH.toLowerCase(), SOL])).rows).toEqual([
      { key: ETH.toLowerCase(), detail: {} },
      { key: SOL, detail: {} },
    ]);
    expect(readScamSniffer(JSON.stringify({ 'scam.example': [ETH] })).rows).toEqual([
      { key: ETH.toLowerCase(), detail: { domain: 'scam.example' } },
    ]);
  });

  it.each(['', 'null', '7', '"x"', '[1]', '["no address"]', '{"a":"b"}', '[{}]', '<html>'])(
    'is not %s',
    (text) => {
      expect(() => readScamSniffer(text)).toThrow(ListError);
    },
  );

  it('never fails but with a word of why, and neither do lines', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const act of [
          () => readScamSniffer(text),
          () => readLines(text, 'known-scam', 'csv'),
          () => readLines(text, 'stolen', 'jsonl'),
          () => readLines(text, 'recalled', 'csv'),
        ]) {
          try {
            act();
          } catch (error) {
            expect(error).toBeInstanceOf(ListError);
          }
        }
      }),
    );
  });

  it('in lines is taken whole or not at all', () => {
    expect(readLines(`# a list\n${ETH}\n${SOL}\n`, 'known-scam', 'csv').rows).toHaveLength(2);
    expect(() => readLines(`${ETH}\nbroken\n`, 'known-scam', 'csv')).toThrow('line 2');
  });
});
