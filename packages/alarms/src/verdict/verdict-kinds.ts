/** `act` asks for action now, `look` for a look in the daytime, `note` is known and needs no one. Gravest first. */
export const gravities = ["act", "look", "note", "fine"] as const;
export type Gravity = (typeof gravities)[number];

const kindsByGravity = {
  act: ["outage", "refused", "away", "silent", "sensor", "alarm"],
  look: ["unstable", "late", "partial", "meter", "files", "extraction", "quarantine", "clock", "config"],
  note: ["unknown", "paused", "quiet", "retired"],
  fine: ["fine"],
} as const satisfies Record<Gravity, readonly string[]>;

export type VerdictKind = (typeof kindsByGravity)[Gravity][number];
/** Gravest first: of several findings the first one is the verdict. */
export const verdictKinds: readonly VerdictKind[] = gravities.flatMap((gravity) => kindsByGravity[gravity]);

const gravityByKind = new Map<string, Gravity>(gravities.flatMap((gravity) => kindsByGravity[gravity].map((kind) => [kind, gravity])));
export const gravityOf = (kind: VerdictKind): Gravity => gravityByKind.get(kind) ?? "note";

const rankByKind = new Map<string, number>(verdictKinds.map((kind, rank) => [kind, rank]));
export const rankOf = (kind: VerdictKind): number => rankByKind.get(kind) ?? verdictKinds.length;
