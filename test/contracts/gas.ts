import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gasOf, runForge } from './forge.ts';

/** `npm run gas`: measures what the acts cost on chain and writes it down; the suite holds later figures against it. */
const results = runForge('--match-contract', 'GasTest');
const failed = results.filter(({ result }) => result.status !== 'Success');
for (const { name, result } of failed) process.stderr.write(`${name}: ${result.reason ?? result.status}\n`);
if (failed.length > 0) {
  process.exitCode = 1;
} else {
  const gas = gasOf(results);
  writeFileSync(join(import.meta.dirname, 'gas.json'), `${JSON.stringify(gas, null, 2)}\n`);
  for (const [what, used] of Object.entries(gas)) process.stdout.write(`${what}: ${used}\n`);
}
