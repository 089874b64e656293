import { describe, expect, it } from 'vitest';
import { namesOf, readHost } from './host.ts';
import { brandOf, imitated } from './imitation.ts';
import type { OriginEvidence } from './origin.ts';
import { judgeOrigin } from './origin-result.ts';

const AT = '2026-11-20T12:00:00.000Z';
const BRANDS = [
  'metamask.io',
  'opensea.io',
  'uniswap.org',
  'etherscan.io',
  'myetherwallet.com',
  'coinbase.com',
];
const BLOCKED = ['drainer-claims.xyz', 'wallet-restore.vercel.app', 'evil.github.io', 'sites.opensea.io'];

/** What the registers say of a URL; no tree is made, so nothing needs a proof. */
function evidence(
  given: string,
  { blocked = BLOCKED, rows = 1_000, asOf = AT, names = {} as Partial<OriginEvidence['known']> } = {},
): OriginEvidence {
  const { host, kind } = readHost(given);
  const asked = kind === 'name' ? namesOf(host) : [];
  return {
    given,
    phishing: {
      register: 'phishing-domains',
      maxAgeDays: 30,
      lists: [{ name: 'phishing-domains/one', asOf, rows }],
      lookedUp: asked,
      hits: asked.filter((n) => blocked.includes(n)).map((key) => ({ key, list: 'phishing-domains/one' })),
    },
    known: {
      maxAgeDays: 365,
      lists: [{ name: 'known-domains/one', asOf: AT, rows: BRANDS.length }],
      match: asked.find((name) => BRANDS.includes(name)) ?? null,
      near: imitated(host, BRANDS.map(brandOf)),
      ...names,
    },
  };
}

const verdictOf = (given: string) => judgeOrigin(evidence(given), AT).verdict;

const ATTACKS = [
  // On a list, by itself or by a name above it.
  ...[
    'drainer-claims.xyz',
    'https://drainer-claims.xyz/claim?ref=1',
    'app.drainer-claims.xyz',
    'DRAINER-CLAIMS.XYZ.',
  ],
  ...[
    'wallet-restore.vercel.app',
    'a.b.wallet-restore.vercel.app',
    'https://evil.github.io/x',
    'sites.opensea.io',
  ],
  // Other letters that are drawn alike.
  ...[
    'metаmask.io',
    'mеtamask.io',
    'opеnsea.io',
    'uniѕwap.org',
    'coinbаse.com',
    'еtherscan.io',
    'métamask.io',
  ],
  ...['xn--metmask-sn4c.com', 'metarnask.io', 'rnetamask.io', 'opensea.com.ru'.replace('opensea', '0pensea')],
  ...['unisvvap.org', 'c0inbase.com', 'etherscаn.io', 'myethеrwallet.com', 'uniswаp.com'],
  // A slip of the pen under the same top level.
  ...['metamsk.io', 'metamaskk.io', 'metamaks.io', 'opensae.io', 'opnesea.io', 'coinbse.com', 'uniwsap.org'],
  // Words of bait beside the name.
  ...[
    'metamask-login.com',
    'login-metamask.io',
    'metamasksupport.com',
    'claim-uniswap.org',
    'uniswap-airdrop.net',
  ],
  ...['opensea-verify.io', 'coinbase-wallet-connect.com', 'secure-coinbase.net', 'etherscan-app.xyz'],
  // The name in front of another.
  ...[
    'metamask.io.evil.example',
    'https://app.uniswap.org.swap.example/',
    'opensea.io-claims.example'.replace('-', '.'),
  ],
  ...['metamask-io.web7.example', 'https://metamask.io@evil.example/', 'https://opensea.io%2F@evil.example'],
  // The name itself, as a page of a host where anybody gets one.
  ...['metamask.pages.dev', 'uniswap.vercel.app', 'opensea.web.app', 'preview.coinbase.netlify.app'],
  ...['metamask.fly.dev', 'myetherwallet.up.railway.app'],
  // Drawn like the name, below another.
  ...['rnetamask.some-name.xyz', 'c0inbase.some-name.xyz'],
  // Numbers, and letters of several scripts.
  ...['http://203.0.113.7/wallet', 'https://[2001:db8::1]/', 'аirdrop.example'],
  // Names that begin like the numbers of this machine or network.
  ...['https://10.drainer-claims.xyz', '127.0.0.1.drainer-claims.xyz', '192.168.1.4.claim-uniswap.org'],
  ...['172.16.metamask-login.com', 'localhost.drainer-claims.xyz', 'http://10.0.0.1@drainer-claims.xyz/'],
];

const HONEST = [
  ...[
    'metamask.io',
    'https://metamask.io/download',
    'portfolio.metamask.io',
    'app.uniswap.org',
    'opensea.io',
  ],
  ...[
    'www.coinbase.com',
    'https://etherscan.io/tx/0x1',
    'myetherwallet.com',
    'http://localhost:3000',
    '127.0.0.1',
  ],
  ...[
    '192.168.1.4',
    'http://[::1]:8080/',
    'github.com',
    'docs.github.com',
    'someone.github.io',
    'example.com',
  ],
  ...[
    'wikipedia.org',
    'bbc.co.uk',
    'news.bbc.co.uk',
    'amazon.co.jp',
    'google.com',
    'aave.com',
    'curve.fi',
    'lido.fi',
  ],
  ...[
    'safe.global',
    'app.safe.global',
    '1inch.io',
    'zerion.io',
    'rabby.io',
    'phantom.app',
    'ledger.com',
    'trezor.io',
  ],
  ...[
    'kraken.com',
    'binance.com',
    'base.org',
    'optimism.io',
    'arbitrum.io',
    'polygon.technology',
    'ens.domains',
  ],
  ...[
    'münchen.de',
    'пример.рф',
    '例え.jp',
    'coinmarketcap.com',
    'opensource.org',
    'unity.com',
    'my-shop.vercel.app',
  ],
  ...['uniswap.info', 'metamask.org', 'ethereum.org', 'walletconnect.com', 'openzeppelin.com', 'chain.link'],
];

describe('where a request comes from', () => {
  it.each(ATTACKS.map((a) => [a]))('is not CLEAN for %s', (given) => {
    expect(verdictOf(given)).toBe('FLAGGED');
  });

  it.each(HONEST.map((a) => [a]))('is CLEAN for %s', (given) => {
    expect(judgeOrigin(evidence(given), AT)).toMatchObject({ verdict: 'CLEAN', reasons: [] });
  });

  it('shows at least forty attacks and as many honest sites', () => {
    expect([ATTACKS.length >= 40, HONEST.length >= 40]).toEqual([true, true]);
  });

  it('knows nothing without a list, by an old one, or by a fragment', () => {
    const cases = [{ rows: 0 }, { asOf: '2026-10-01T00:00:00.000Z' }].map((over) =>
      judgeOrigin(evidence('example.com', over), AT),
    );
    expect(cases.map((c) => c.verdict)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });

  it('takes no host for honest without a usable list of known names, and still tells what it finds', () => {
    const list = { name: 'known-domains/one', asOf: AT, rows: BRANDS.length };
    const none = { match: null, near: [] };
    for (const names of [
      { lists: [] },
      { lists: [{ ...list, rows: 0 }] },
      { lists: [{ ...list, asOf: '2025-01-01T00:00:00.000Z' }] },
      { lists: [{ ...list, undated: true as const }] },
      { lists: [], missing: ['known-domains/two'] },
    ]) {
      for (const given of ['rnetamask.io', 'metamask.io.evil.example', 'example.com'])
        expect(judgeOrigin(evidence(given, { names: { ...names, ...none } }), AT)).toMatchObject({
          verdict: 'INCONCLUSIVE',
          reasons: [expect.stringMatching(/^origin-imitates: .*known-domains/)],
        });
      for (const given of ['drainer-claims.xyz', 'http://203.0.113.7/', 'аirdrop.example'])
        expect(judgeOrigin(evidence(given, { names: { ...names, ...none } }), AT).verdict).toBe('FLAGGED');
    }
    const old = { lists: [{ ...list, asOf: '2025-01-01T00:00:00.000Z' }] };
    expect(judgeOrigin(evidence('rnetamask.io', { names: old }), AT).verdict).toBe('FLAGGED');
    expect(judgeOrigin(evidence('metamask.io', { names: old }), AT).verdict).toBe('CLEAN');
  });

  it('judges evidence of an earlier release, which does not say how old the names may be, as it was', () => {
    const { known, ...rest } = evidence('example.com');
    const { maxAgeDays: _, ...earlier } = { ...known, lists: [] };
    expect(judgeOrigin({ ...rest, known: earlier }, AT).verdict).toBe('CLEAN');
  });

  it('does not accuse a name that is only spelled almost alike, and does not clear it', () => {
    for (const given of ['metamusk.io', 'openset.co', 'eitherscan.com'])
      expect(verdictOf(given)).toBe('INCONCLUSIVE');
  });

  it('does not clear the name itself where it may be a page of its own, or stands below another', () => {
    for (const given of [
      ...['metamask.github.io', 'uniswap.gitlab.io', 'uniswap.readthedocs.io', 'uniswap.eth.limo'],
      ...['metamask.some-name.xyz', 'app.uniswap.some-name.xyz', 'metamask.someone.github.io'],
    ])
      expect(verdictOf(given)).toBe('INCONCLUSIVE');
    const own = evidence('metamask.pages.dev');
    const known = { ...own.known, match: 'metamask.pages.dev' };
    expect(judgeOrigin({ ...own, known }, AT).verdict).toBe('CLEAN');
  });

  it('takes no label for a known name that sites give to parts of themselves', () => {
    const brands = [
      'app.com',
      'docs.org',
      'mail.com',
      'wallet.com',
      'support.io',
      'exchange.com',
      'ethereum.org',
    ];
    for (const label of brands.map((name) => name.split('.')[0]))
      expect(imitated(`${label}.some-name.xyz`, brands.map(brandOf))).toEqual([]);
    expect(imitated('aave.some-name.xyz', [brandOf('aave.com')])).toEqual([]);
  });

  it('is told first where it is beyond doubt, whatever other names stand below it', () => {
    const decoys = ['aerodrome', 'apeswap', 'balancer', 'biswap', 'compound', 'curvefi', 'dodoex'];
    const more = ['fraxfinance', 'instadapp', 'kyberswap', 'lidofinance'];
    const brands = [...decoys, ...more].map((label) => `${label}.com`);
    const host = `${[...decoys, ...more].join('.')}.metamask-login.xyz`;
    const told = imitated(host, [...brands, 'metamask.io'].map(brandOf));
    expect(told).toEqual(['metamask.io', ...brands]);
    const { known, ...rest } = evidence(host);
    expect(judgeOrigin({ ...rest, known: { ...known, near: told.slice(0, 10) } }, AT).verdict).toBe(
      'FLAGGED',
    );
  });

  it('holds no page of a shared host against another', () => {
    expect(verdictOf('other.github.io')).toBe('CLEAN');
    expect(namesOf('a.b.wallet.vercel.app')).toEqual([
      'a.b.wallet.vercel.app',
      'b.wallet.vercel.app',
      'wallet.vercel.app',
    ]);
  });

  it.each(['', 'not a host', 'javascript:alert(1)', 'chrome-extension://abc/x', 'word'])(
    'refuses %s',
    (given) => {
      expect(() => readHost(given)).toThrow(/origin/);
    },
  );
});
