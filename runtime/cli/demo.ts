import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { findRunning } from '../embedded/running.ts';
import { type DemoEnding, playDemo } from './demo/story.ts';
import { fund, mintAsset, requireEmbedded, requireEmbeddedChains } from './dev.ts';
import { verifyRecord } from './record/record.ts';
import type { ServiceHandle, Starters } from './starters.ts';
import { stopSignal } from './stop-signal.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Plays the story against the embedded service that runs on this data folder. */
export async function runDemo(
  env: Env,
  tell: (chapter: string, sentence: string) => void,
): Promise<DemoEnding> {
  const { running, operatorApiKey } = requireEmbedded(env);
  const [home, base] = [running.chains['1002'], running.chains['84532']];
  if (!home || !base) throw new Error('the running service lacks one of its two chains');
  return await playDemo({
    baseUrl: running.baseUrl,
    operatorKey: operatorApiKey,
    chains: { '1002': home, '84532': base },
    fund: (address, usd) => fund(env, address, usd),
    mintAsset: (owner) => mintAsset(env, owner),
    verifyRecord: async (recordId) => {
      const checked = await verifyRecord(`${running.baseUrl}/records/${recordId}`, home.rpcUrl, home.ledger);
      return { anchored: checked.ok, root: checked.root, tx: checked.tx };
    },
    tell,
    now: () => new Date(),
  });
}

/** `demo`: plays the whole story with two owners and a stranger, against a running service or one that it starts. */
export function demoCommand(env: Env, starters: Starters): Command {
  return new Command('demo')
    .description(
      'Play the whole story: mandates, mints, a listing, a match, a settlement, its record and its proof.',
    )
    .addHelpText(
      'after',
      `
It plays against the service that runs on DATA_DIR, or starts one for as long as the story takes.

Examples:
  npm run demo
  DATA_DIR=.data-two npm run demo        against a second service`,
    )
    .option('--json', 'a line of JSON for each step, { at, chapter, sentence }, and one for the ending')
    .action(async ({ json }: { json?: boolean }) => {
      const tell = json === true ? console.error : console.log;
      const config = readConfig(env);
      requireEmbeddedChains(config);
      let own: ServiceHandle | null = null;
      let interrupted: Promise<never> | null = null;
      if (findRunning(config.dataDir) === null) {
        tell('No service runs on this data folder: starting one for the demo.');
        interrupted = stopSignal(env).then(() => {
          throw new Error('The demo was stopped.');
        });
        interrupted.catch(() => {});
        own = await starters.service(config, { say: (line) => tell(`  ${line}`) });
      }
      try {
        const began = performance.now();
        const play = runDemo(env, (chapter, sentence) => {
          const at = ((performance.now() - began) / 1000).toFixed(1);
          if (json === true) console.log(JSON.stringify({ at: Number(at), chapter, sentence }));
          else console.log(`${at.padStart(5)} s  ${chapter.padEnd(11)} ${sentence}`);
        });
        const ending = await (interrupted === null ? play : Promise.race([play, interrupted]));
        if (json === true) return console.log(JSON.stringify(ending));
        console.log(`\nThe record: ${ending.recordUrl}`);
        console.log(`Check it yourself: npm run -s handshake -- record verify ${ending.recordId}`);
      } finally {
        await own?.stop();
      }
    });
}
