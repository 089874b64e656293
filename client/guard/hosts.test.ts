import { expect, it } from 'vitest';
import { hostNamed, isLoopback, isNamed, looksLike, namedIn } from './hosts.ts';

it.each([
  ['api.market.test', null],
  ['data.market.test', null],
  ['weather.example', null],
  ['supermarket.example', null],
  ['127.0.0.1', null],
  ['api.rnarket.test', 'api.market.test'],
  ['API.MARKT.TEST', 'api.market.test'],
  ['market.example', 'api.market.test'],
  ['127.api.rnarket.test', 'api.market.test'],
  ['api.market.test.pay.example', 'api.market.test'],
])('%s looks like %s', (host, meant) => {
  expect(looksLike(host, ['api.market.test:8080'])).toBe(meant);
});

const [CYRILLIC, MIXED] = ['https://мarket.test', 'https://рауеr.test'].map((url) => new URL(url).hostname);

it.each([
  ['market.co.uk', 'rnarket.co.uk', true],
  ['market.co.uk', 'data.market.co.uk', false],
  ['api.market.co.uk', 'data.market.co.uk', false],
  ['market.co.uk', 'weather.co.uk', false],
  ['shopmarket.vercel.app', 'shoprnarket.vercel.app', true],
  ['shopmarket.vercel.app', 'weather.vercel.app', false],
  ['api.market.test', CYRILLIC!, true],
  ['api.market.test', MIXED!, true],
  ['xyz.test', new URL('https://хуz.test').hostname, true],
  ['api.market.test', 'xn--bcher-kva.example', false],
  ['api.market.test', 'xn--mnchen-3ya.example', false],
])('beside %s, %s looks like it: %s', (known, host, alike) => {
  expect(looksLike(host, [known])).toBe(alike ? known : null);
});

it.each([
  'https://api.mᴀʀket.example',
  'https://api.ꓟꓮꓣꓗꓰꓔ.example',
  'https://api.maɾkeʈ.example',
  'https://api.ᏞᎪ.example',
  'https://api.ǀong.example',
  'https://api.ⲙarket.example',
  'https://api.mаrket.example',
  'https://mᴀʀket.pay.example',
  'https://marketロ.example',
  'https://mᄋrket.example',
  'https://youᅵᅵtube.example',
  'https://weㅣther.example',
  'https://ㄒesㄒa.example',
  'https://uniswaㄗ.example',
  'https://coエnb日se.example',
  'https://天気abc天気.example',
  'https://go한gle.example',
  'https://ㄥedger.example',
  'https://エntel.example',
  'https://metamas卄.example',
  'https://coinbas乇.example',
  'https://coinbas乇公式.example',
  'https://卩ay-2.example',
  'https://日itcoin.example',
  'https://éロ.example',
])('%s is written in no script of a language alone, and is taken for a known name', (url) => {
  expect(looksLike(new URL(url).hostname, ['api.market.example'])).toBe('api.market.example');
});

it.each([
  'https://łódź.example',
  'https://straße.example',
  'https://hɔuse.example',
  'https://погода.example',
  'https://ґанок.рф',
  'https://καιρός.example',
  'https://եղանակ.example',
  'https://ამინდი.example',
  'https://天気予報.example',
  'https://ウェザー.example',
  'https://eスポーツ.example',
  'https://t恤.example',
  'https://ai工具.example',
  'https://天気abc.example',
  'https://天気-abc2.example',
  'https://3dプリンタ.example',
  'https://shop日本.example',
  'https://abc・株式会社.example',
  'https://webニュース.example',
  'https://ㄅㄆㄇ.example',
  'https://k팝.example',
  'https://한국tv.example',
  'https://날씨.example',
  'https://मौसम.example',
  'https://الطقس.example',
  'https://สภาพอากาศ.example',
  'https://weather-2.example',
])('%s is a name of its own', (url) => {
  expect(looksLike(new URL(url).hostname, ['api.market.example'])).toBeNull();
});

it.each(['replit.dev', 'modal.run', 'ngrok.app', 'azure-api.net', 'on.aws'])(
  'below %s each name is an owner’s own',
  (ending) => {
    expect(looksLike(`shoprnarket.${ending}`, [`shopmarket.${ending}`])).toBe(`shopmarket.${ending}`);
    expect(looksLike(`weather.${ending}`, [`shopmarket.${ending}`])).toBeNull();
  },
);

const SHOP = 'https://api.market.example/data';
it.each([
  ['api.market.example', SHOP, true],
  ['API.Market.example.', SHOP, true],
  ['api.market.example', SHOP.replace('/data', './data'), true],
  ['https://api.market.example', SHOP, true],
  ['https://api.market.example/', 'http://api.market.example:8080/', true],
  ['api.market.example:443', SHOP, true],
  ['https://api.market.example:443', SHOP, true],
  ['api.market.example:443', 'https://api.market.example:8443/', false],
  ['api.market.example:80', 'http://api.market.example/', true],
  ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ['[::1]:4021', 'http://[::1]:4021/', true],
  ['localhost', 'http://localhost:4021/', true],
  ['market.example', SHOP, false],
])('a policy that names %s names %s: %s', (name, url, named) => {
  expect(isNamed(new URL(url), [hostNamed(name)])).toBe(named);
});

it.each([
  [{ 'api.market.example': 'all', 'api.market.example:8443': 'one' }],
  [{ 'api.market.example:8443': 'one', 'api.market.example': 'all' }],
])('a name with a port goes before the one for every port, in any order: %j', (names) => {
  expect(namedIn(new URL('https://api.market.example:8443'), names)).toBe('one');
  expect(namedIn(new URL(SHOP), names)).toBe('all');
  expect(namedIn(new URL('https://constructor'), names)).toBeUndefined();
});

it.each([
  '',
  'api market',
  '*.market.example',
  'me@market.example',
  `${SHOP}`,
  'ftp://market.example',
  'a..b',
])('what is no host is not taken for one: %j', (name) => {
  expect(() => hostNamed(name)).toThrow(TypeError);
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['localhost', true],
  ['api.localhost', true],
  ['127.pay.example', false],
  ['127.0.0.1.pay.example', false],
  ['128.0.0.1', false],
  ['pay-localhost', false],
])('%s is this machine: %s', (host, own) => {
  expect(isLoopback(host)).toBe(own);
});
