import { randomBytes } from 'node:crypto';
import { createTestClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { MULTICALL3 } from '../../../chain/deploy/multicall3-code.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import type { BenchRow } from '../row.ts';
import { type Effort, type Subject, time } from '../timing.ts';
import { paying } from './paying.ts';

const AT_ONCE: Effort = { rounds: 4, single: 4, many: 256, callers: 32 };
const GOAL = 3;

/**
 * Paid determinations a second by 32 callers: of a service whose payments share transactions, and of one on a chain that
 * has no Multicall3, where each has its own. Both by turns, each with chains of its own.
 */
export async function benchGroups(): Promise<BenchRow[]> {
  const folders: ServiceFolder[] = [];
  const open = async (): Promise<ServiceFolder> => {
    const folder = await serviceFolder({ guarded: false });
    folders.push(folder);
    return folder;
  };
  try {
    const subjects = [await subjectOn(await open(), true), await subjectOn(await open(), false)];
    const [grouped, alone] = await time(subjects, AT_ONCE);
    const ratio = grouped!.perSecond / alone!.perSecond;
    return [
      { name: 'paid determinations by 32 callers, a transaction each', ...alone! },
      {
        name: 'paid determinations by 32 callers, payments in groups',
        ...grouped!,
        ratio,
        goal: `at least ${GOAL} of one a transaction`,
        ok: ratio >= GOAL,
      },
    ];
  } finally {
    for (const folder of folders) await folder.remove();
  }
}

async function subjectOn(folder: ServiceFolder, groups: boolean): Promise<Subject> {
  const { baseUrl } = await folder.start();
  const { rpcUrl } = findRunning(folder.dataDir)!.chains['1002']!;
  const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  if (!groups) await chain.setCode({ address: MULTICALL3, bytecode: '0x' });
  const payer = `0x${randomBytes(32).toString('hex')}` as const;
  await fund(folder.env, privateKeyToAccount(payer).address, '1000');
  const { rounds, single, many, callers } = AT_ONCE;
  return await paying(baseUrl, payer, (rounds + 1) * (single + many + callers));
}
