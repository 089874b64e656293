import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../agents/categories.ts';
import { ERRORS } from '../../agents/errors.ts';
import { unenforceable } from '../../agents/mandate/grammar/enforceable.ts';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { Mandate } from '../../agents/mandate/terms/schema.ts';
import { requireMinimum } from '../../agents/market/listing-minimum.ts';
import { parseUsd } from '../../agents/money.ts';
import { GUARD_OPTIONS } from '../../client/guard/policy.ts';
import { wholeProgram } from '../../runtime/docs/help-page.ts';
import { readAuction } from '../../runtime/names/start-auction.ts';
import { HOME_CHAIN } from '../../runtime/services.ts';

/** Only what the commands are called is asked here: none starts anything. */
const ROOT = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const stands = (path: string) => existsSync(join(ROOT, path));

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The folders of the repository. A path in a document begins with one of them. */
const PLACE = '(?:agents|api|chain|docs|extension|runtime|store|test|\\.ci)';

describe('the first page', () => {
  const lines = read('README.md').trimEnd().split('\n');

  it('has at most 150 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(150);
  });

  it('shows on its first screen the picture and the two commands', () => {
    const screen = lines.slice(0, 45).join('\n');
    expect(screen).toContain('npm install && npm start');
    expect(screen).toContain('npm install && npm test');
    expect(screen).toMatch(/!\[[^\]]+\]\(docs\/images\/home\.png\)/);
  });

  it('leads to every page of the documents that stands by itself', () => {
    const pages = DOCUMENTS.filter((path) => /^(docs\/[^/]+|CONTRIBUTING|CHANGELOG)\.md$/.test(path));
    for (const page of pages) expect(lines.join('\n'), page).toContain(`](${page})`);
  });
});

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);
  const prose = withoutFences(text);

  it('links only to what is there', () => {
    for (const [, target = '', anchor] of prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const file = target === '' ? path : relative('.', join(dirname(path), target));
      expect(stands(file), `${path} links to ${target}`).toBe(true);
      if (anchor !== undefined && file.endsWith('.md'))
        expect(anchorsOf(read(file)), `${path} links to ${target}#${anchor}`).toContain(anchor);
    }
  });

  it('names only files and folders that are there', () => {
    for (const named of pathsIn(text)) expect(stands(named), `${path} names ${named}`).toBe(true);
  });

  it('names only commands that are there', () => {
    const flat = text.replaceAll(/\\?\s+/g, ' ');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of flat.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g))
      expect(Object.keys(scripts), `${path} names npm run ${script}`).toContain(script);
    for (const [, name = '', sub] of flat.matchAll(/\bhandshake -- ([a-z-]+)(?: ([a-z][a-z-]*)\b)?/g)) {
      expect(COMMANDS.has(name), `${path} names the command ${name}`).toBe(true);
      expectSubcommand(path, name, sub);
    }
    // Where it is clear what is meant, a page says `record verify` alone.
    for (const [, name = '', sub] of prose.matchAll(/`([a-z-]+) ([a-z][a-z-]*)\b/g))
      if (COMMANDS.has(name)) expectSubcommand(path, name, sub);
  });
});

describe('a deployment, wherever it is shown', () => {
  const help = JSON.parse(read('runtime/cli/help.json')) as Record<string, { text: string }>;
  const helps = Object.entries(help).filter(([command]) => command.startsWith('deploy'));

  it('is on the chain on which the service has its roles', () => {
    const texts = [
      ...DOCUMENTS.map((path) => [path, read(path)]),
      ...helps.map(([name, h]) => [name, h.text]),
    ];
    const named = texts.flatMap(([where, text = '']) =>
      [...text.matchAll(/\bdeploy\b(?:[^\n]|\\\n)*? --chain (\d+)/g)].map(
        ([, chain]) => `${where}: ${chain}`,
      ),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((one) => !one.endsWith(`: ${HOME_CHAIN}`))).toEqual([]);
  });

  it('names for each role the setting of the key that production has for it alone', () => {
    const flat = help.deploy!.text.replaceAll(/\s+/g, ' ');
    for (const [option, key] of [
      ['minter', 'MINTER'],
      ['recorder', 'RECORDER'],
      ['issuer', 'OPERATOR'],
    ])
      expect(flat).toMatch(
        new RegExp(`--${option} <address> (?:(?! --).)*: the address of ${key}_PRIVATE_KEY`),
      );
  });
});

describe('what the page for owners says that a mandate can say', () => {
  const [section] = sectionsOf(read('docs/owner.md'), 2).filter(({ body }) =>
    body.includes('| In the answer |'),
  );
  const rows = [...section!.body.matchAll(/^\| (.+) \| `(\w+)` \| "(.+)" \|$/gm)].map(
    ([, says = '', field = '', phrase = '']) => ({ says, field, phrase }),
  );
  const mandateOf = (...sentences: string[]) => {
    const [text, ref] = [`${sentences.join('. ')}.`, '2026-12-01T00:00:00Z'];
    const reading = readMandate(text, ref);
    if (reading.decision === 'REFUSE') return reading.questions[0].question;
    const [asked] = unenforceable(text, reading.mandate, { ref, listable: [HOME_CHAIN] });
    return asked?.question ?? reading.mandate;
  };

  it('is each field of a mandate but the currency, and the share of a face value, which no asset states', () => {
    const untold = ['currency', 'max_pct_of_face'];
    const fields = Object.keys(Mandate.properties).filter((field) => !untold.includes(field));
    expect(rows.map(({ field }) => field).sort()).toEqual(fields.sort());
  });

  it.each(rows.map((row) => [row.phrase, row] as const))('is read: %s', (_, { field, phrase }) => {
    const base = {
      goods: 'Buy digital products',
      cap: 'At most 100 USDC per deal',
      end: 'Until 31 March 2027',
    };
    if (/^(?:Buy|Sell) /.test(phrase)) base.goods = phrase;
    const sentences = new Set([base.goods, base.cap, phrase, base.end]);
    expect(mandateOf(...sentences)).toMatchObject({ [field]: expect.anything() });
  });

  it('are goods by names that are read', () => {
    const goods = rows
      .find(({ field }) => field === 'categories_allow')!
      .says.split(': ')[1]!
      .split(', ');
    const read = goods.map((name) =>
      mandateOf(`Buy ${name}`, 'At most 9 USDC per deal', 'Until 31 March 2027'),
    );
    expect(read.map((mandate) => (typeof mandate === 'string' ? mandate : mandate.categories_allow))).toEqual(
      CATEGORIES.map((category) => [category]),
    );
  });

  it('is nothing without the date on which it ends', () => {
    expect(mandateOf('Buy digital products', 'At most 100 USDC per deal')).toBe(
      'On which date does the mandate expire?',
    );
  });
});

describe('what the security page says', () => {
  const text = read('docs/security.md');
  const threats = sectionsOf(text, 2).filter(({ body }) => body.includes('| Threat |'));

  it('covers each of those who may be hostile', () => {
    const who = [
      'payer',
      'owner',
      'asset',
      'counterparty',
      'calldata',
      'proxy',
      'operator',
      'publisher',
      'rpc',
    ];
    const headings = threats.map(({ heading }) => heading.toLowerCase()).join('\n');
    for (const one of who) expect(headings).toContain(one);
  });

  it('names for every threat a test by its file and its title', () => {
    for (const { heading, body } of threats) {
      const table = body.slice(body.indexOf('| Threat |')).split('\n\n', 1)[0] as string;
      const rows = table.split('\n').slice(2);
      expect(rows.length, heading).toBeGreaterThan(0);
      for (const row of rows) {
        const tests = [...row.matchAll(/`([^`]+\.(?:test\.ts|t\.sol))`: "([^"]+)"/g)];
        expect(tests.length, row).toBeGreaterThan(0);
        for (const [, file = '', title = ''] of tests) {
          expect(stands(file), `${heading}: ${file}`).toBe(true);
          expect(titlesIn(read(file), title), `${heading}: ${file} has no test "${title}"`).toBe(true);
        }
      }
    }
  });
});

describe('the walks of the architecture page', () => {
  const stories = sectionsOf(read('docs/architecture.md'), 2).filter(({ heading }) =>
    heading.startsWith('Story: '),
  );

  it('are three, of five to fifteen files each, with a picture of the sequence', () => {
    expect(stories).toHaveLength(3);
    for (const { heading, body } of stories) {
      expect(body, heading).toContain('sequenceDiagram');
      const files = new Set(pathsIn(body).filter((path) => /\.\w+$/.test(path)));
      expect(files.size, heading).toBeGreaterThanOrEqual(5);
      expect(files.size, heading).toBeLessThanOrEqual(15);
    }
  });
});

describe('the auction that the page for owners shows', () => {
  const page = read('docs/owner.md');
  const shown = (request: string) => {
    const [, body = '{}'] = new RegExp(`^POST ${request}\\n(\\{.*\\})$`, 'm').exec(page) ?? [];
    return JSON.parse(body) as Record<string, unknown>;
  };
  const usd = (value: unknown) => parseUsd(value as number, 'usd', 2);

  it('has a reserve that is taken at the ask shown before it, and a bid that reaches it', () => {
    const ask = usd(shown('/domains/listings').askUsd);
    const auction = shown('/domains/\\{name\\}/auction');
    const { reserve } = readAuction('alice.x', auction as never);
    expect(() => requireMinimum(ask, reserve, 'reserveUsd')).not.toThrow();
    expect(usd(shown('/domains/\\{name\\}/bids').bidUsd)).toBeGreaterThanOrEqual(reserve);
  });
});

describe('the page of the client', () => {
  it('tells every option of a guard, and what stands for it where it is left out', () => {
    const [guarding] = sectionsOf(read('docs/client.md'), 2).filter(({ heading }) =>
      heading.startsWith('Guarding'),
    );
    const told = [...guarding!.body.matchAll(/^\| `(\w+)` \| (.+?) \| .+ \|$/gm)].map(
      ([, option, leftOut = '']) => [option, leftOut.replaceAll('`', '')],
    );
    const literal = (value: object) =>
      `{ ${Object.entries(value)
        .map(([name, each]) => `${name}: ${each}`)
        .join(', ')} }`;
    const held = Object.entries(GUARD_OPTIONS).map(([option, value]) => [
      option,
      typeof value === 'object' ? literal(value) : String(value),
    ]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(held));
  });
});

describe('the page of the interface', () => {
  it('names every other status of an error code, and when it is answered', () => {
    const rows = read('docs/api.md').split('\n');
    for (const [code, { also }] of Object.entries(ERRORS)) {
      const row = rows.find((line) => line.startsWith(`| \`${code}\` | `));
      for (const { status, when } of also) expect(row).toContain(`; ${status} ${when}`);
    }
  });

  it('names every error code with its status', () => {
    const rows = read('docs/api.md').split('\n');
    const named = rows.flatMap(
      (row) => /^\| `([\w-]+)` \| (\d{3}) \|/.exec(row)?.slice(1, 3).join(' ') ?? [],
    );
    expect(named.sort()).toEqual(
      Object.entries(ERRORS)
        .map(([code, { status }]) => `${code} ${status}`)
        .sort(),
    );
  });
});

const COMMANDS = new Map((await wholeProgram()).commands.map((command) => [command.name(), command]));

function expectSubcommand(path: string, name: string, sub: string | undefined): void {
  const subs = (COMMANDS.get(name) as Command).commands.map((c) => c.name());
  if (subs.length > 0 && sub !== undefined)
    expect(subs, `${path} names the command ${name} ${sub}`).toContain(sub);
}

/** Every path of the repository that a text names: files anywhere in it, folders in backticks alone. */
function pathsIn(text: string): string[] {
  const files = new RegExp(`(?<![\\w/.@-])${PLACE}/[\\w./-]*\\w\\.\\w+`, 'g');
  const quoted = new RegExp(`^${PLACE}(?:/[\\w.-]+)*/?$`);
  const words = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '));
  const folders = words.filter((word) => word.includes('/') && quoted.test(word));
  return [...new Set([...[...text.matchAll(files)].map(([path]) => path), ...folders])];
}

function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** What the headings of a page may be linked to by. */
function anchorsOf(text: string): string[] {
  return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function sectionsOf(text: string, level: number): { heading: string; body: string }[] {
  const parts = text.split(new RegExp(`^${'#'.repeat(level)} (.+)$`, 'm')).slice(1);
  return parts.flatMap((heading, i) => (i % 2 === 0 ? [{ heading, body: parts[i + 1] as string }] : []));
}

/** A title in quotes of any kind, or a function of a contract's test. */
function titlesIn(source: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``, `function ${title}(`].some((t) => source.includes(t));
}

it('knows a document when it sees one', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(15);
  expect(DOCUMENTS.every((path) => statSync(join(ROOT, path)).isFile())).toBe(true);
});
