import { parseArgs } from 'node:util';
import { withDatabases } from './databases.ts';
import { plansOf, runHonest } from './honest.ts';
import { printMarket, printThieves, type Report } from './report.ts';
import { added, emptyTally, wrongShares } from './tally.ts';
import { runThieves } from './thieves.ts';

/** At most this share of honest deals may be stopped, and of honest lots that somebody asks about be accused. */
export const MOST_WRONG = 0.02;

const USAGE = `npm run -s simulate market [-- --seed 1] [--deals 500] [--agents 50] [--sellers N] [--groups 5] [--json]

Runs markets of honest agents, and thieves among them, through the service's own determinations, and prints how many
deals were stopped, by reason. With --sellers only the market of so many sellers runs. Ends with 1 when more than
${MOST_WRONG * 100} percent of the honest deals of a market are stopped or of its lots accused, or a thief who leaves
evidence is not told.

Examples:
  npm run -s simulate market
  npm run -s simulate market -- --seed 7 --deals 100 --sellers 3
`;

/** @returns whether the markets ended as required */
export async function simulateMarkets(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      deals: { type: 'string', default: '500' },
      agents: { type: 'string', default: '50' },
      sellers: { type: 'string' },
      groups: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const say = (text: string): unknown => process.stdout.write(`${text}\n`);
  if (values.help) {
    say(USAGE);
    return true;
  }
  const [deals, agents, groups] = [
    whole('deals', values.deals, 1),
    whole('agents', values.agents, 8),
    whole('groups', values.groups, 0),
  ];
  const sellers = values.sellers === undefined ? null : whole('sellers', values.sellers, 1);
  if (sellers !== null && sellers * 2 > agents)
    throw new RangeError(`--sellers ${sellers}: give --agents at least twice as many`);
  const shown = (lines: readonly string[]): void => {
    if (!values.json) say(lines.join('\n'));
  };
  const report = await withDatabases(async (withDatabase): Promise<Report> => {
    const markets: Report['markets'][number][] = [];
    for (const plan of plansOf({ deals, agents, sellers })) {
      const tally = await withDatabase((db) => runHonest(db, plan, values.seed));
      markets.push({ name: plan.name, tally, ...wrongShares(tally) });
      shown(printMarket(markets.at(-1)!));
    }
    const all = added(markets.map((m) => m.tally));
    if (markets.length > 1)
      shown(printMarket({ name: 'all honest markets', tally: all, ...wrongShares(all) }));
    const known = Math.min(deals, 120);
    const thieves =
      groups === 0
        ? []
        : await withDatabase((db) => runThieves(db, { deals: known, agents, groups }, values.seed));
    shown(printThieves(thieves));
    return {
      seed: values.seed,
      deals,
      agents,
      markets,
      all: markets.length > 0 ? all : emptyTally(),
      thieves,
    };
  });
  if (values.json) say(JSON.stringify(report, null, 2));
  const wrong = whatIsWrong(report);
  shown(wrong.length === 0 ? ['every limit held'] : wrong);
  return wrong.length === 0;
}

/** One sentence for each limit that a run exceeds. */
export function whatIsWrong({ markets, thieves }: Report): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} percent`;
  return [
    ...markets
      .filter((m) => m.stopped > MOST_WRONG)
      .map((m) => `${m.name}: ${percent(m.stopped)} of the honest deals were stopped`),
    ...markets
      .filter((m) => m.accused > MOST_WRONG)
      .map((m) => `${m.name}: ${percent(m.accused)} of the honest lots asked about were accused`),
    ...thieves
      .filter((t) => t.mustTell && t.told < t.groups)
      .map((t) => `${t.kind}: ${t.told} of ${t.groups} were told`),
  ];
}

function whole(name: string, value: string, least: number): number {
  const number = Number(value);
  if (/^[0-9]+$/.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw new RangeError(`--${name} must be a whole number of at least ${least}`);
}
