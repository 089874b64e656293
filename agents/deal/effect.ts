import type { DeterminationId, Verdict } from '../determinations/panel/types.ts';

/** What an owner may choose for a determination that is FLAGGED. */
export const ON_FLAGGED = ['stop', 'ask'] as const;
export type OnFlagged = (typeof ON_FLAGGED)[number];

/** What an owner may choose for one that could not be judged. */
export const ON_INCONCLUSIVE = ['stop', 'ask', 'proceed'] as const;
export type OnInconclusive = (typeof ON_INCONCLUSIVE)[number];

/** What a verdict causes on one side of a deal. */
export type Effect = OnInconclusive;

/**
 * The determinations for which that may be chosen. Whose wallet it is, whether the thing is pledged twice and what the
 * mandate allows are not among them: nobody may go on without these.
 */
export const CHOOSABLE = ['shill-collusion', 'provenance', 'price-intelligence'] as const;
export type Choosable = (typeof CHOOSABLE)[number];

/** What an owner chose, in the two places where it can be said; null where nothing is said. */
export interface Choices {
  /** The owner's wallet, lower case: whose settings these are. */
  readonly wallet: string;
  readonly onFlagged: OnFlagged | null;
  readonly onInconclusive: OnInconclusive | null;
  /** Of the mandate in force; null where there is none that this owner signed. */
  readonly mandate: {
    readonly version: number;
    readonly onInconclusive: Readonly<Partial<Record<Choosable, OnInconclusive>>>;
  } | null;
}

/** Whose words let a deal go on without a determination. */
export type Waiver =
  | { readonly determination: Choosable; readonly by: 'setting'; readonly wallet: string }
  | { readonly determination: Choosable; readonly by: 'mandate'; readonly version: number };

/** What one determination that is not CLEAN causes. */
export interface Cause {
  readonly determination: DeterminationId;
  readonly verdict: Exclude<Verdict, 'CLEAN'>;
  readonly effect: Effect;
  /** The owner said so; false where nothing was chosen and it stops for that. */
  readonly chosen: boolean;
}

export interface Weighed {
  /** The strictest of what the determinations cause. */
  readonly effect: Effect;
  readonly causes: readonly Cause[];
  readonly waivedBy: readonly Waiver[];
}

export function isChoosable(id: string): id is Choosable {
  return (CHOOSABLE as readonly string[]).includes(id);
}

/** `stop` before `ask` before `proceed`; `proceed` of none. */
export function strictest(effects: readonly Effect[]): Effect {
  return ON_INCONCLUSIVE.find((effect) => effects.includes(effect)) ?? 'proceed';
}

/**
 * What one side's verdicts cause under its owner's choices. The verdicts themselves stay what they are. What was found
 * stops, or asks where the owner chose that. What could not be judged does the same, unless the owner chose something
 * else for it in the settings or in the mandate; where both speak, the stricter holds, so that neither can be used to
 * go round the other. A determination that is not among {@link CHOOSABLE} is never gone on without.
 */
export function weighVerdicts(
  determinations: readonly { readonly id: DeterminationId; readonly verdict: Verdict }[],
  choices: Choices,
): Weighed {
  const waivedBy: Waiver[] = [];
  const causes = determinations.flatMap(({ id, verdict }): Cause[] => {
    if (verdict === 'CLEAN') return [];
    const found: Cause = {
      determination: id,
      verdict,
      effect: choices.onFlagged ?? 'stop',
      chosen: choices.onFlagged !== null,
    };
    if (verdict !== 'INCONCLUSIVE' || !isChoosable(id)) return [found];
    const said = choicesFor(id, choices);
    if (said.length === 0) return [found];
    const effect = strictest(said.map((s) => s.choice));
    if (effect === 'proceed') waivedBy.push(...said.map((s) => s.waiver));
    return [{ ...found, effect, chosen: true }];
  });
  return { effect: strictest(causes.map((c) => c.effect)), causes, waivedBy };
}

/** Findings with what each of them caused; one that nobody weighed stops. */
export function withEffects<T extends { readonly determination: string }>(
  findings: readonly T[],
  { causes }: Weighed,
): (T & { readonly effect: Effect })[] {
  return findings.map((f) => ({
    ...f,
    effect: causes.find((c) => c.determination === f.determination)?.effect ?? 'stop',
  }));
}

/** What was said for one determination that could not be judged: in the settings, in the mandate, in both. */
function choicesFor(
  id: Choosable,
  { wallet, onInconclusive, mandate }: Choices,
): { readonly choice: OnInconclusive; readonly waiver: Waiver }[] {
  const clause = mandate?.onInconclusive[id];
  return [
    ...(onInconclusive === null
      ? []
      : [{ choice: onInconclusive, waiver: { determination: id, by: 'setting' as const, wallet } }]),
    ...(clause === undefined || mandate === null
      ? []
      : [
          {
            choice: clause,
            waiver: { determination: id, by: 'mandate' as const, version: mandate.version },
          },
        ]),
  ];
}
