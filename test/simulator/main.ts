/**
 * `npm run simulate [market]`: histories of the service under faults, or, with the word, markets of honest agents and
 * of thieves.
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
