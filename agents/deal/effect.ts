import type { DeterminationId, Verdict } from '../determinations/panel/types.ts';

/** What an owner may choose for a determination that is FLAGGED. */
export const ON_FLAGGED = ['stop', 'ask'] as const;
export type OnFlagged = (typeof ON_FLAGGED)[number];

/** What an owner may choose for a determination that could not be judged. */
export const ON_INCONCLUSIVE = ['stop', 'ask', 'proceed'] as const;
export type OnInconclusive = (typeof ON_INCONCLUSIVE)[number];

/** What a verdict causes on one side of a deal. */
export type Effect = OnInconclusive;

/**
 * The determinations for which an owner may choose that. The wallet, the double pledge and the mandate are not among
 * them: nobody may go on without these.
 */
export const CHOOSABLE = ['shill-collusion', 'provenance', 'price-intelligence'] as const;
export type Choosable = (typeof CHOOSABLE)[number];

/** What an owner chose, in the two places where it can choose; null where it chose nothing. */
export interface Choices {
  /** The wallet of the owner whose settings these are, lower case. */
  readonly wallet: string;
  readonly onFlagged: OnFlagged | null;
  readonly onInconclusive: OnInconclusive | null;
  /** From the mandate in force; null when there is none that this owner signed. */
  readonly mandate: {
    readonly version: number;
    readonly onInconclusive: Readonly<Partial<Record<Choosable, OnInconclusive>>>;
  } | null;
}

/** The choice that lets a deal go on without a determination. */
export type Waiver =
  | { readonly determination: Choosable; readonly by: 'setting'; readonly wallet: string }
  | { readonly determination: Choosable; readonly by: 'mandate'; readonly version: number };

/** What one determination that is not CLEAN causes. */
export interface Cause {
  readonly determination: DeterminationId;
  readonly verdict: Exclude<Verdict, 'CLEAN'>;
  readonly effect: Effect;
  /** False when the owner chose nothing and the deal stops for that reason. */
  readonly chosen: boolean;
}

export interface Weighed {
  /** The strictest effect of all causes. */
  readonly effect: Effect;
  readonly causes: readonly Cause[];
  readonly waivedBy: readonly Waiver[];
}

export function isChoosable(id: string): id is Choosable {
  return (CHOOSABLE as readonly string[]).includes(id);
}

/** `stop` is stricter than `ask`, and `ask` than `proceed`; with no effects, `proceed`. */
export function strictest(effects: readonly Effect[]): Effect {
  return ON_INCONCLUSIVE.find((effect) => effects.includes(effect)) ?? 'proceed';
}

/**
 * What one side's verdicts cause under its owner's choices; the verdicts themselves do not change. A FLAGGED
 * determination stops the deal, or asks if the owner chose that. An INCONCLUSIVE one does the same, unless the owner
 * chose something else for it in the settings or in the mandate. When both say something, the stricter one holds, so
 * that neither can be used to get round the other. Without a determination outside {@link CHOOSABLE} a deal never goes on
 * by itself: it stops, or asks an owner who chose to be asked.
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

/** Adds to each finding what it caused; a finding that was not weighed stops the deal. */
export function withEffects<T extends { readonly determination: string }>(
  findings: readonly T[],
  { causes }: Weighed,
): (T & { readonly effect: Effect })[] {
  return findings.map((f) => ({
    ...f,
    effect: causes.find((c) => c.determination === f.determination)?.effect ?? 'stop',
  }));
}

/** What the owner chose for one INCONCLUSIVE determination, in the settings, in the mandate, or in both. */
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
