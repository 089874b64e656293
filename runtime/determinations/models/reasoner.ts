import type { Heard } from '../../../agents/determinations/panel/types.ts';

/** What a language model is asked: one determination, from what one seat read. JSON only. */
export interface ModelAnswers {
  readonly determination: string;
  readonly at: string;
  readonly common: unknown;
  readonly facts: unknown;
  readonly blocks: unknown;
}

/** One language model as a seat of a panel. */
export interface Reasoner {
  /** The model and the host that runs it, as records name them. */
  readonly by: string;
  /** Never throws: whatever goes wrong is an absent vote, with its reason. */
  askModels(modelAnswers: ModelAnswers): Promise<Heard>;
}
