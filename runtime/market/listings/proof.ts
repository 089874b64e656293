import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { sameAddress } from '../../../agents/ids.ts';
import type { Services } from '../../services.ts';

/** Whether a token proves whose a thing is. A certificate does not: it was issued on its first holder's signed word. */
export function isProof({ home }: Pick<Services, 'home'>, token: TokenAsset): boolean {
  return !sameAddress(token.contract, home.deployment.certificates);
}
