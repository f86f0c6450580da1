export interface Point {
  x: number;
  y: number;
}
export interface LabelledPhasor {
  /** Degrees against the clock. */
  angle: number;
  /** Of the arrow, in the drawing's units. */
  reach: number;
}

/** Half of what a label such as V1 takes, with a little air. */
export const labelBox = { halfWidth: 10, halfHeight: 8 };
/** Here there is always a place: six labels leave most of the circle free. */
const outerRadius = 118;
const stepDegrees = 4;

/**
 * A place for each arrow's label: beside its tip when that is free, else on the outer circle as near to its direction as possible. No two
 * labels overlap, whatever the arrows.
 */
export function placeLabels(arrows: readonly LabelledPhasor[]): Point[] {
  const placed: Point[] = [];
  for (const { angle, reach } of arrows) {
    const beside = pointAt(angle, reach + 13);
    const around = Array.from({ length: 360 / stepDegrees }, (_, step) => {
      const turn = Math.ceil(step / 2) * stepDegrees * (step % 2 === 0 ? 1 : -1);
      return pointAt(angle + turn, outerRadius);
    });
    const free = [...(reach + 13 <= outerRadius ? [beside] : []), ...around].find(
      (point) => !placed.some((other) => isOverlap(point, other)),
    );
    placed.push(free ?? beside);
  }
  return placed;
}

export const isOverlap = (one: Point, other: Point): boolean =>
  Math.abs(one.x - other.x) < 2 * labelBox.halfWidth && Math.abs(one.y - other.y) < 2 * labelBox.halfHeight;

/** Angles turn against the clock, the picture's y grows downwards. */
export function pointAt(degrees: number, length: number): Point {
  const radians = (degrees * Math.PI) / 180;
  return { x: Number((length * Math.cos(radians)).toFixed(2)), y: Number((-length * Math.sin(radians)).toFixed(2)) };
}
