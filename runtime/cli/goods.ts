import { Command } from 'commander';
import { goodsKey } from '../../agents/evaluation/goods-key.ts';
import { type LineStreams, linesOf, standardLines } from './json-lines.ts';

const EXAMPLES = `
Examples:
  $ echo '{"serial":"1hgcm-82633 a004352"}' | npm run -s handshake -- goods key
  {"key":"serial:vin:1HGCM82633A004352","kind":"vin"}
  $ echo '{"serial":"000000000000000","serialKind":"imei"}' | npm run -s handshake -- goods key
  {"refused":"serial: no phone is made with an IMEI of noughts"}`;

/** `goods key`: for each line `{ serial, serialKind? }` the key under which the thing is listed and looked up. */
export function goodsCommand(streams: LineStreams = standardLines): Command {
  const command = new Command('goods').description('Read serials of goods.').exitOverride();
  command
    .command('key')
    .description('The key of each serial on standard input, as { key, kind } or { refused }.')
    .option('--from <file>', 'the lines; left out: standard input')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .action(async (options: { from?: string }) => {
      for await (const [text] of linesOf(streams, options.from)) {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          value = null;
        }
        streams.write(`${JSON.stringify(goodsKey(value))}\n`);
      }
    });
  return command;
}
