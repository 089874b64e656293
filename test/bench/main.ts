import { benchAgents } from './agents/agents.ts';
import { benchDeals } from './deals/deals.ts';
import { benchCustody } from './determinations/custody.ts';
import { benchDealPanels } from './determinations/deal-panels.ts';
import { benchLookups } from './determinations/lookups.ts';
import { benchOrigins } from './determinations/origins.ts';
import { benchSeats } from './determinations/seats.ts';
import { benchSimulation } from './determinations/simulation.ts';
import { benchWallet } from './determinations/wallet.ts';
import { benchDoor } from './door/door.ts';
import { benchPayers } from './door/payers.ts';
import { benchGrowth } from './growth/growth.ts';
import { benchReading } from './growth/reading.ts';
import { benchListeners } from './listeners/listeners.ts';
import { benchMatching } from './market/matching.ts';
import { benchOrders } from './market/orders.ts';
import { readOptions } from './options.ts';
import { benchPool } from './pool/pool.ts';
import { benchPrice } from './price/price.ts';
import { benchReads } from './reads/reads.ts';
import type { BenchOptions, BenchRow } from './row.ts';
import { benchCrowd } from './runtime/crowd.ts';
import { benchMailboxes } from './runtime/mailboxes.ts';
import { benchShare } from './runtime/share.ts';
import { benchShill } from './shill/shill.ts';
import { benchCalibration } from './wallet/calibration.ts';

/** What is fast enough is a ratio measured in one run, but for deals and agents: their goals are of one machine. */
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<readonly BenchRow[]>>> = {
  reads: benchReads,
  listeners: benchListeners,
  door: benchDoor,
  payers: benchPayers,
  matching: benchMatching,
  orders: benchOrders,
  deals: benchDeals,
  agents: benchAgents,
  pool: benchPool,
  trading: benchGrowth,
  reading: benchReading,
  turns: benchMailboxes,
  crowd: benchCrowd,
  share: benchShare,
  shill: ({ data }) => benchShill(data),
  price: benchPrice,
  calibration: benchCalibration,
  seats: benchSeats,
  origins: benchOrigins,
  wallet: benchWallet,
  panels: benchDealPanels,
  custody: benchCustody,
  lookups: benchLookups,
  simulation: benchSimulation,
};

/** Several benches by one name. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  runtime: ['turns', 'crowd', 'share'],
  market: ['matching', 'orders'],
  growth: ['trading', 'reading'],
  determinations: ['wallet', 'panels', 'custody', 'lookups', 'simulation'],
};

const USAGE = `npm run bench -- [name]… [quick|full] [size=number]… [profile=folder] [data]

Measures against peers that do the same work, prints a table each, and ends with 1 when a goal is missed.
Benches: ${Object.keys(BENCHES).join(', ')}; all of them where none is named.
Groups: ${Object.entries(GROUPS)
  .map(([name, members]) => `${name} (${members.join(', ')})`)
  .join('; ')}. A path to data (csv, json) belongs
to shill, price, calibration and origins.
deals, agents, trading and reading run on an embedded Postgres, or on a database of their own on the server that DATABASE_URL
names. They print the statements and functions that took longest, and leave CPU profiles in the folder, and deals every statement.
quick: deals, agents, trading, reading, price. full: agents and wallet, at the size of their goals.
Sizes: agents, lots, sales, keen, listings (agents); many (growth); transfers, listed (wallet).

Examples:
  npm run bench
  npm run bench market
  npm run bench shill ./bids.csv
  npm run bench deals quick
  DATABASE_URL=postgres://… npm run bench agents full profile=./profiles
`;

const COLUMNS: readonly string[] = ['p50 ms', 'p99 ms', 'a second', 'ratio', 'goal', 'met'];

const words = process.argv.slice(2);
const { options, names } = readOptions(words);
const asked = names.flatMap((name) => GROUPS[name] ?? [name]);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (words.some((word) => word === '--help' || word === '-h')) {
  console.log(USAGE);
} else if (unknown.length > 0) {
  console.error(
    `There is no bench "${unknown.join('", "')}": choose from ${Object.keys(BENCHES).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  let missed = 0;
  for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
    console.log(`${name} …`);
    const rows = await BENCHES[name]!(options);
    const wordy = rows.some(({ measured }) => measured !== undefined);
    const columns = wordy ? [...COLUMNS.slice(0, 3), 'measured', ...COLUMNS.slice(3)] : COLUMNS;
    console.table(Object.fromEntries(rows.map(({ name: line, ...row }) => [line, shown(row)])), [...columns]);
    missed += rows.filter((row) => row.ok === false).length;
  }
  console.log(missed === 0 ? 'Every goal is met.' : `${missed} goal${missed === 1 ? '' : 's'} missed.`);
  if (missed > 0) process.exitCode = 1;
}

function shown({ p50Ms, p99Ms, perSecond, measured, ratio, goal, ok }: Omit<BenchRow, 'name'>) {
  const round = (value: number | undefined) => (value === undefined ? '' : Number(value.toFixed(2)));
  return {
    'p50 ms': round(p50Ms),
    'p99 ms': round(p99Ms),
    'a second': perSecond === undefined ? '' : perSecond < 100 ? round(perSecond) : Math.round(perSecond),
    measured: measured ?? '',
    ratio: round(ratio),
    goal: goal ?? '',
    met: ok === undefined ? '' : ok ? 'yes' : 'NO',
  };
}
