import { Command } from 'commander';
import { documentHash } from '../../../agents/canonical.ts';
import { type Rejudged, rejudge } from '../../../agents/determinations/panel/recompute.ts';
import type { RecordDocument } from '../../../agents/records/verify.ts';
import { readConfig } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import { findRunning } from '../../embedded/running.ts';
import { endsFailed } from '../exit-codes.ts';
import { readDocument, sourceOf } from './record-document.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface RecomputedRecord extends Partial<Rejudged> {
  readonly ok: boolean;
  readonly recordId: string;
  readonly steps: readonly { readonly step: string; readonly ok: boolean }[];
}

/**
 * Judges a record again from the evidence that was served with it, by the rules of this release. The same evidence must
 * give the same verdict. No chain, register or clock is read.
 * @throws StartError when the record is not of a determination, or was filed without evidence
 */
export function recomputeRecord(document: RecordDocument): RecomputedRecord {
  const { record, evidence } = document;
  const { recordId } = record;
  const steps: { step: string; ok: boolean }[] = [];
  const bound = evidence !== null && documentHash(evidence) === record.evidenceHash;
  steps.push({ step: 'the record is the one that was hashed', ok: documentHash(record) === document.hash });
  steps.push({ step: 'the evidence is the one the record was made of', ok: bound });
  let found: Rejudged | null;
  try {
    found = rejudge(record.content, evidence);
  } catch {
    // Only evidence that was changed by hand fails to parse. It gives no verdict, so it cannot confirm the record.
    steps.push({ step: 'the evidence can be judged', ok: false });
    return { ok: false, recordId, steps };
  }
  if (found === null)
    throw new StartError(`${recordId} is no determination with its evidence: there is nothing to judge.`);
  for (const part of found.determinations) {
    const recorded = part.recorded ?? found.recorded;
    const says = part.recorded === null ? part.verdict : `${part.verdict}, recorded as ${recorded}`;
    steps.push({ step: `${part.id}: ${says}, every check and vote as recorded`, ok: part.same });
  }
  steps.push({
    step: `the verdict is ${found.verdict}, recorded as ${found.recorded}`,
    ok: found.verdict === found.recorded,
  });
  return { ok: steps.every((s) => s.ok), recordId, ...found, steps };
}

export function recomputeCommand(env: Env): Command {
  return new Command('recompute')
    .argument('<id-or-file-or-url>')
    .description(
      'Judge a determination again from the evidence kept with it: the same verdict, or exit code 1.',
    )
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s handshake -- record recompute rec_0123…
  npm run -s handshake -- record recompute record.json --json`,
    )
    .action(async (given: string, options: { json?: true }) => {
      const document = await readDocument(
        sourceOf(given, findRunning(readConfig(env).dataDir)?.baseUrl ?? null),
      );
      const found = recomputeRecord(document);
      if (options.json) console.log(JSON.stringify(found));
      else {
        for (const { step, ok } of found.steps) console.log(`${ok ? 'yes' : 'NO '}  ${step}`);
        console.log(
          found.ok
            ? `\n${found.recordId} comes out the same.`
            : `\n${found.recordId} does NOT come out the same.`,
        );
      }
      if (!found.ok) endsFailed();
    });
}
