import type { WalletCall } from './methods.ts';

/** What a page's frame asks the extension's own process. Who asks, that process knows from the browser. */
export interface JudgeMessage {
  readonly kind: 'judge';
  readonly calls: readonly WalletCall[];
  /** As the wallet says; null where it does not. */
  readonly chainId: string | number | null;
  /** The origins of the pages that this frame stands in. */
  readonly ancestors: readonly string[];
}

export interface JudgeAnswer {
  readonly go: boolean;
  /** What the page is told where it is refused. */
  readonly message: string;
}
