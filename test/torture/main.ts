import { parseArgs } from 'node:util';
import { tortureByAbsence } from './away/torture-away.ts';
import { tortureByFaults } from './deals/torture-deals.ts';
import { tortureByLoad } from './load/torture-load.ts';
import { tortureByRaces } from './races/torture-races.ts';
import { tortureByRequests } from './requests/torture-requests.ts';
import { tortureByRolling } from './roll/torture-roll.ts';
import { tortureBySoak } from './soak/torture-soak.ts';
import { type TortureStage, tortureStage } from './stage.ts';

/** What must hold however a service is treated. The exit code is 1 when something did not hold. */
const HELP = `npm run torture -- [deals] [races] [roll] [away] [requests] [load] [soak] [--seed s] [--deals n] [--away seconds]
                   [--requests n] [--seconds n] [--minutes n]

deals     1,000 deals while every part is killed, paused and restarted
races     twenty rounds of what only one may get, asked for at three processes at the same time
roll      deals, payments and reads while every API and worker is replaced, one after another
away      deals and reads while Redis is away for a minute, and the database restarts at once
requests  100,000 requests generated from the description
load      twice of what the service does, for 30 seconds
soak      ten minutes of reads, payments, deals and generated requests, and the slope of the heap
Without a word, all of them. The ledger of all stands at the end.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now()) },
    deals: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100000' },
    away: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '30' },
    minutes: { type: 'string', default: '10' },
  },
});

type Ledger = { readonly faults: readonly string[] };

const PARTS: Readonly<Record<string, () => Promise<Ledger>>> = {
  deals: () => tortureByFaults(values.seed, Number(values.deals)),
  races: () => tortureByRaces(20),
  roll: () => tortureByRolling(Math.min(200, Number(values.deals)), 500),
  away: () => tortureByAbsence({ deals: 30, seconds: Number(values.away), timed: true }),
  requests: () => onStage((stage) => tortureByRequests(stage, values.seed, Number(values.requests))),
  load: () => onStage((stage) => tortureByLoad(stage, { seconds: Number(values.seconds), timed: true })),
  soak: () =>
    onStage((stage) => tortureBySoak(stage, values.seed, { minutes: Number(values.minutes), timed: true })),
};

async function onStage(act: (stage: TortureStage) => Promise<Ledger>): Promise<Ledger> {
  const stage = await tortureStage();
  try {
    return await act(stage);
  } finally {
    await stage.stop();
  }
}

/** A line for each figure of a part, and one that says whether everything held. */
function linesOf(name: string, { faults, ...sums }: Ledger, minutes: number): string[] {
  const line = (what: string, figure: unknown): string => {
    const said =
      typeof figure === 'object' ? JSON.stringify(figure).replaceAll(/["{}]/g, '') : String(figure);
    return `${name.padEnd(10)}${what.padEnd(18)}${said.replaceAll(',', ', ')}`;
  };
  const held = faults.length === 0 ? 'everything' : `NOT everything: ${faults.length} faults`;
  return [
    ...Object.entries(sums).map(([what, figure]) => line(what, figure)),
    line('held', `${held}, in ${minutes.toFixed(1)} minutes`),
  ];
}

async function run(names: readonly string[]): Promise<void> {
  process.stdout.write(`seed ${values.seed}\n`);
  const lines: string[] = [];
  for (const name of names) {
    process.stdout.write(`${name} …\n`);
    const began = performance.now();
    const ledger = await PARTS[name]!();
    lines.push(...linesOf(name, ledger, (performance.now() - began) / 60_000));
    for (const fault of ledger.faults) process.stderr.write(`${name}: ${fault}\n`);
    if (ledger.faults.length > 0) process.exitCode = 1;
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const asked = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (values.help) process.stdout.write(`${HELP}\n`);
else if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}\n${HELP}`);
else await run(asked);
