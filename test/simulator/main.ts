/**
 * `npm run simulate [market]`: runs histories of the service under faults, or, with `market`, markets of honest agents
 * and thieves.
 */
const [word, ...rest] = process.argv.slice(2);

if (word === 'market') {
  const { simulateMarkets } = await import('./market/main.ts');
  process.exitCode = (await simulateMarkets(rest)) ? 0 : 1;
} else if (word === undefined || word.startsWith('-')) {
  await import('./faults.ts');
} else {
  process.stderr.write(
    `There is no simulation "${word}": write "market", or no word for histories under faults.\n`,
  );
  process.exitCode = 1;
}
