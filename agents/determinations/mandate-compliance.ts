import type { Judging } from './judging.ts';
export const mandateCompliance: Judging<never, never> = null as never;
