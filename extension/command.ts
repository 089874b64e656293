import { Command, InvalidArgumentError } from 'commander';
import { SERVICE, SIGNER } from './settings-rules.ts';

/** What is built into an extension. */
export interface BuiltIn {
  readonly service: string;
  readonly signer: string | null;
}

/** The command that builds the extension. @param build told once the options hold */
export function extensionCommand(build: (built: BuiltIn) => void): Command {
  return new Command('extension')
    .usage('-- [options]')
    .description('Build the browser extension: dist/extension/, and the same as dist/extension.zip.')
    .option('--service <url>', 'the service that is asked', readService, 'http://127.0.0.1:4021')
    .option(
      '--signer <address>',
      "the key that signs that service's lists; default: whoever signs the first lists that are fetched",
      readSigner,
    )
    .addHelpText(
      'after',
      `
Example:
  npm run extension -- --service https://your.service --signer 0x…`,
    )
    .action(({ service, signer }: { service: string; signer?: string }) =>
      build({ service, signer: signer ?? null }),
    );
}

function readService(text: string): string {
  if (!SERVICE.is(text))
    throw new InvalidArgumentError(`Give ${SERVICE.rule}, such as https://your.service.`);
  return SERVICE.trimmed(text);
}

function readSigner(text: string): string {
  if (!SIGNER.is(text))
    throw new InvalidArgumentError(
      `Give ${SIGNER.rule}, the signature.signer of any of the service's records.`,
    );
  return text;
}
