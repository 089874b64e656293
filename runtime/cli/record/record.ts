import { Command } from 'commander';
import { verifyTypedData } from 'viem';
import type { Hex } from '../../../agents/canonical.ts';
import { type IsSignedBy, isAsFiled, type VerifyStep, verifySteps } from '../../../agents/records/verify.ts';
import { type Withdrawal, withdrawalOf } from '../../../agents/records/withdrawal.ts';
import { readConfig } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import { findRunning } from '../../embedded/running.ts';
import { endsFailed } from '../exit-codes.ts';
import { anchorSteps } from './record-anchor.ts';
import { archiveCommand } from './record-archive.ts';
import { readDocument, sourceOf, withPresentStatus } from './record-document.ts';
import { recomputeCommand } from './record-recompute.ts';
import { retractCommand } from './record-retract.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface CheckedRecord {
  readonly ok: boolean;
  readonly recordId: string;
  readonly root: Hex;
  /** The transaction that anchored the root, where the node shows it; else empty. */
  readonly tx: string;
  /** Why its verdict no longer counts, as the document says; null where it does. It is not `ok` then. */
  readonly withdrawn: Withdrawal | null;
  /** The service that was asked whether it took the record back since; null when none was, so that it is not known. */
  readonly asked: string | null;
  /** The service that was asked and has no such record; null when there is none. */
  readonly unknownTo: string | null;
  /** The checks in order, each with its result. */
  readonly steps: readonly VerifyStep[];
}

/**
 * Verifies a record against the chain without trusting the service: the hash computed from the record, the hash of the
 * evidence, the proofs that lists do not name what they did not, the signature, the Merkle path, and the root and its
 * transaction on the ledger contract. A record that the service says it took back does not pass, and a kept document cannot say so itself.
 * @param source a URL or the path of a file that holds the document
 * @param rpcUrl null: nothing is read of a chain, and the root is not checked
 * @param ledger the ledger contract that the caller trusts; a document that names another does not pass
 * @param service where to ask what became of the record since; null: nobody is asked, unless the document comes from there
 * @param signer who must have signed; when left out, the signer that the document names is checked and shown
 * @throws StartError when the document cannot be read or is not a record, and whatever a node that does not answer
 *   throws
 */
export async function verifyRecord(
  source: string,
  rpcUrl: string | null,
  ledger: Hex | null,
  signer?: Hex,
  service: string | null = null,
): Promise<CheckedRecord> {
  const present = await withPresentStatus(await readDocument(source), source, service);
  const { document, asked, unknownTo } = present;
  const isSignedBy: IsSignedBy = (address, data, signature) =>
    verifyTypedData({ address, signature, ...data });
  const steps = [...(await verifySteps(document, isSignedBy, signer))];
  const { proof } = document;
  const onChain =
    proof && rpcUrl !== null && ledger !== null
      ? await anchorSteps(document, proof.root, rpcUrl, ledger)
      : { steps: [], tx: '' };
  steps.push(...onChain.steps);
  return {
    ok: steps.every((s) => s.ok),
    recordId: document.record.recordId,
    root: proof?.root ?? '0x',
    tx: onChain.tx,
    withdrawn: withdrawalOf(document),
    asked,
    unknownTo,
    steps,
  };
}

/**
 * The last line: a record that was withdrawn is as it was filed, and its verdict counts no more.
 * @param checked `ok`: whether it is as it was filed
 */
export function conclusion(
  { ok, recordId, withdrawn }: Pick<CheckedRecord, 'ok' | 'recordId' | 'withdrawn'>,
  far = '',
): string {
  if (!ok) return `${recordId} does NOT hold.`;
  if (withdrawn === null) return `${recordId} holds${far}.`;
  return `${recordId} is as it was filed${far}, but it was ${withdrawn.toUpperCase()} since: its verdict no longer counts.`;
}

const whyNotTold = ({ unknownTo }: CheckedRecord): string =>
  unknownTo === null ? 'no service was asked' : `${unknownTo} has no such record`;

interface VerifyOptions {
  readonly rpc?: string;
  readonly ledger?: Hex;
  readonly signer?: Hex;
  readonly service?: string;
  readonly offline?: true;
  readonly json?: true;
}

export function recordCommand(env: Env): Command {
  const record = new Command('record').description('Check public records without trusting the service.');
  record
    .command('verify <id-or-file-or-url>')
    .description('Check the hash, evidence, signature, Merkle path and the root on chain of a record.')
    .option('--rpc <url>', 'RPC URL of the chain to read; default: the running embedded chain')
    .option('--ledger <address>', "the ledger contract you trust; default: the running service's")
    .option(
      '--service <url>',
      'whose record an id is, and whom to ask whether a kept one was taken back since; default: the running service',
    )
    .option('--offline', 'read no chain and ask nobody: check all but the root on chain and what came after')
    .option('--json', 'one line of JSON: { ok, recordId, root, tx, withdrawn, asked, unknownTo, steps }')
    .option('--signer <address>', "whose signature it must be; default: the one the record's document names")
    .addHelpText(
      'after',
      `
Examples:
  npm run -s handshake -- record verify rec_0123…
  npm run -s handshake -- record verify record.json --rpc https://rpc.example --ledger 0x…
  npm run -s handshake -- record verify record.json --offline`,
    )
    .action(async (given: string, options: VerifyOptions) => {
      const running = findRunning(readConfig(env).dataDir);
      const chain = running?.chains['1002'];
      const [rpcUrl, ledger] = [options.rpc ?? chain?.rpcUrl, options.ledger ?? chain?.ledger];
      if (options.offline !== true && !(rpcUrl && ledger))
        throw new StartError(
          'No service on embedded chains runs on this data folder: give --rpc and --ledger, or --offline, and for an id --service <url>, the service that has it.',
        );
      const [at, trusted] = options.offline === true ? [null, null] : [rpcUrl ?? null, ledger ?? null];
      const known = options.service ?? running?.baseUrl ?? null;
      const service = options.offline === true ? null : known;
      const source = sourceOf(given, known);
      const checked = await verifyRecord(source, at, trusted, options.signer, service);
      if (!checked.ok) endsFailed();
      if (options.json === true) return console.log(JSON.stringify(checked));
      for (const { step, ok } of checked.steps) console.log(`${ok ? 'yes' : 'NO '}  ${step}`);
      if (checked.asked === null && checked.withdrawn === null)
        console.log(
          `?    whether it was retracted or overturned since: ${whyNotTold(checked)} (--service <url>)`,
        );
      const far = at === null ? ', as far as can be told without its chain' : '';
      console.log(`\n${conclusion({ ...checked, ok: isAsFiled(checked.steps) }, far)}`);
    });
  record.addCommand(recomputeCommand(env));
  record.addCommand(retractCommand(env));
  record.addCommand(archiveCommand(env));
  return record;
}
