import type { Heard } from '../../../agents/determinations/panel/types.ts';

/** The question to a language model: one determination, with what one seat read. JSON only. */
export interface ModelAnswers {
  readonly determination: string;
  readonly at: string;
  readonly common: unknown;
  readonly facts: unknown;
  readonly blocks: unknown;
}

/** One language model as a seat of a panel. */
export interface Reasoner {
  /** The model and the host that runs it, as records show them. */
  readonly by: string;
  /** Never throws: every failure is an absent vote with its reason. */
  askModels(modelAnswers: ModelAnswers): Promise<Heard>;
}
