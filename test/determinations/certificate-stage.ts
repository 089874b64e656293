import { type Asset, assetKey } from '../../agents/assets.ts';
import { certificateOf, issueCertificate } from '../../chain/clients/certificates.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { certificateAsset } from '../../runtime/determinations/public.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import type { Database } from '../../store/database.ts';
import type { TestAccount, TestChain } from '../fixtures/chain/anvil.ts';
import { listOf, signerOf } from './goods-stage.ts';

const PATIENCE_MS = 60_000;

/** What determinations about certificates read: a chain by both clients, and lists that name nobody. */
export async function certificateDeps(
  chain: TestChain,
  db: Database,
  now: () => Date,
): Promise<EvidenceDeps> {
  const options = { rpcUrl: chain.url, chainId: 1002, retries: 0 };
  const patient = { ...options, deadlineMs: PATIENCE_MS, timeoutMs: PATIENCE_MS };
  for (const register of ['stolen', 'recalled'] as const) await listOf(db, register, [], now());
  for (const register of ['sanctions', 'known-scam'] as const)
    await listOf(db, register, [`0x${'ff'.padStart(40, '0')}`], now());
  return {
    db,
    readers: new Map([[1002, { viem: viemReader(patient), ethers: ethersReader(patient) }]]),
    deployments: new Map([[1002, chain.deployment]]),
    now,
    seatTimeoutMs: PATIENCE_MS,
  };
}

/** Issues a certificate of a serial, and has the service know of it. */
export async function issuedTo(
  chain: TestChain,
  { db, readers }: EvidenceDeps,
  serial: string,
  to: TestAccount,
): Promise<Asset & { kind: 'token' }> {
  const { deployment, accounts } = chain;
  const call = { to: to.address, serial, approve: false };
  await issueCertificate(signerOf(chain, accounts.operator), deployment, call);
  const reader = readers.get(1002)!.viem;
  const { live } = await certificateOf(reader, deployment, serial, (await reader.head()).number);
  const token = certificateAsset({ deployment }, live!);
  await noteCertificate(db, { tokenKey: assetKey(token), assetKey: serial });
  return token;
}
