import { parseArgs } from 'node:util';
import { tortureByFaults } from './deals/torture-deals.ts';
import { tortureByRequests } from './requests/torture-requests.ts';

/**
 * `npm run torture -- [deals] [requests] [--seed s] [--deals n] [--requests n]`: what must hold however a service is treated.
 * Without a word, both. The exit code is 1 when something did not hold.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    deals: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100000' },
  },
});

const PARTS: Readonly<Record<string, () => Promise<{ readonly faults: readonly string[] }>>> = {
  deals: () => tortureByFaults(values.seed, Number(values.deals)),
  requests: () => tortureByRequests(values.seed, Number(values.requests)),
};

const asked = positionals.length > 0 ? positionals : Object.keys(PARTS);
process.stdout.write(`seed ${values.seed}\n`);
for (const name of asked) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`there is no ${name}: ask for ${Object.keys(PARTS).join(' or ')}`);
  const { faults, ...sums } = await part();
  process.stdout.write(`${name}: ${JSON.stringify(sums, null, 2)}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
