import { type Address, type Hex, isHex, numberToHex, type PublicClient, RpcRequestError } from 'viem';
import { AnswerTooLarge } from './bounded-answers.ts';
import { callFaultOf } from './call-fault.ts';

interface PublicCall {
  /** When left out, the data runs as the code that creates a contract. */
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** The precompiled identity contract, which returns its input on every chain. */
const IDENTITY = '0x0000000000000000000000000000000000000004';

/**
 * Calls an untrusted contract at the head, with bounded gas.
 * @returns null when the contract itself failed
 * @throws the client's error when the node did not run the call, so that nothing is known
 */
export async function callOutcome(client: PublicClient, call: PublicCall): Promise<Hex | null> {
  const first = await attempt(client, call);
  if (!('unexplained' in first)) return first.answer;
  // Finds out whether the contract or the node failed: when the node answers for a contract that cannot fail, and
  // refuses this one again, the contract did.
  await ask(client, { to: IDENTITY, data: '0x', gas: call.gas });
  const second = await attempt(client, call);
  return 'unexplained' in second ? null : second.answer;
}

async function attempt(
  client: PublicClient,
  call: PublicCall,
): Promise<{ readonly answer: Hex | null } | { readonly unexplained: true }> {
  try {
    return { answer: await ask(client, call) };
  } catch (error) {
    if (caused(error, AnswerTooLarge)) return { answer: null };
    const refused = caused(error, RpcRequestError);
    const fault =
      refused && callFaultOf({ code: refused.code, message: refused.details, data: refused.data });
    if (fault === 'contract') return { answer: null };
    if (fault === 'unknown') return { unexplained: true };
    throw error;
  }
}

async function ask(client: PublicClient, { to, data, gas }: PublicCall): Promise<Hex> {
  const asked = { ...(to === undefined ? {} : { to }), data, gas: numberToHex(gas) };
  const answer: unknown = await client.request(
    { method: 'eth_call', params: [asked, 'latest'] },
    // Many nodes report a contract's failure with codes that viem takes for the node's own and retries.
    { retryCount: 1 },
  );
  if (!isHex(answer)) throw new Error('the node answers another form than bytes');
  return answer;
}

function caused<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | null {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof kind) return e;
  return null;
}
