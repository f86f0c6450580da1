import { panned, zoomed } from "./trend-range.ts";
import type { PlotView } from "./plot-view.ts";
import type { TimeSpan } from "./zone-time.ts";

export interface GestureHandlers {
  /** Keeps a span within the times that there can be. */
  bound: (span: TimeSpan) => TimeSpan;
  /** A gesture has ended with another span. */
  onSettle: (span: TimeSpan) => void;
  onReset: () => void;
}

/** Pixels; what is narrower was a press. */
const narrowest = 5;
const wheelSettlesMs = 250;
const wheelSpeed = 0.0015;

type Gesture = { kind: "select"; start: number } | { kind: "pan"; x: number; span: TimeSpan } | { kind: "pinch"; times: [number, number] };

/**
 * Drag zooms, Shift with a drag pans, the wheel zooms at the cursor and pans sideways; on a touch screen one finger pans and two
 * zoom. `element` is as wide as the span. @returns what takes the gestures away again
 */
export function attachGestures(element: HTMLElement, view: PlotView, handlers: () => GestureHandlers): () => void {
  const fingers = new Map<number, number>();
  let gesture: Gesture | undefined;
  let wheelEnd: ReturnType<typeof setTimeout> | undefined;

  const placeOf = ({ clientX }: { clientX: number }) => {
    const { left, width } = element.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / (width || 1), 0), 1);
  };
  const timeAt = (place: number, { from, to } = view.get().span) => from + place * (to - from);
  const show = (span: TimeSpan) => view.set({ span: handlers().bound(span), isHeld: true });
  /** Before the gesture. */
  let began: TimeSpan | undefined;
  const settle = (span: TimeSpan) => {
    const before = began ?? view.get().span;
    began = undefined;
    // At the edge of now nothing may have moved, and a range that goes on is not to end for it.
    const pixel = (before.to - before.from) / (element.getBoundingClientRect().width || 1);
    const hasMoved = Math.abs(span.from - before.from) >= pixel || Math.abs(span.to - before.to) >= pixel;
    view.set({ span: hasMoved ? span : before, isHeld: false });
    if (hasMoved) handlers().onSettle(span);
  };

  const begin = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    capture(element, event.pointerId);
    if (fingers.size === 0) began = view.get().span;
    fingers.set(event.pointerId, placeOf(event));
    const place = placeOf(event);
    if (event.pointerType !== "mouse" && fingers.size === 2) {
      const [one = 0, other = 1] = fingers.values();
      gesture = { kind: "pinch", times: [timeAt(one), timeAt(other)] };
    } else if (event.pointerType !== "mouse" || event.shiftKey) gesture = { kind: "pan", x: place, span: view.get().span };
    else gesture = { kind: "select", start: timeAt(place) };
    view.set({ cursor: timeAt(place), isHeld: true });
  };

  const move = (event: PointerEvent) => {
    const place = placeOf(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, place);
    if (gesture === undefined) {
      if (event.pointerType === "mouse") view.set({ cursor: timeAt(place) });
      return;
    }
    if (gesture.kind === "select") {
      const at = timeAt(place);
      view.set({ cursor: at, selection: { from: Math.min(at, gesture.start), to: Math.max(at, gesture.start) } });
    } else if (gesture.kind === "pan") {
      const { from, to } = gesture.span;
      show(panned(gesture.span, (gesture.x - place) * (to - from)));
    } else {
      const [one = 0, other = 1] = fingers.values();
      const [first, second] = gesture.times;
      if (Math.abs(other - one) < 0.02) return;
      const length = (second - first) / (other - one);
      if (length > 0) show({ from: first - one * length, to: first + (1 - one) * length });
    }
  };

  const end = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || gesture === undefined) return;
    const { selection, span } = view.get();
    if (gesture.kind === "select") {
      gesture = undefined;
      view.set({ selection: undefined, isHeld: false });
      const { width } = element.getBoundingClientRect();
      if (selection && ((selection.to - selection.from) / (span.to - span.from)) * width >= narrowest) settle(handlers().bound(selection));
      else began = undefined;
      return;
    }
    // One finger of two stays: it goes on panning.
    const [left] = fingers.values();
    gesture = left === undefined ? undefined : { kind: "pan", x: left, span };
    if (gesture === undefined) settle(span);
  };

  const cancel = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    if (gesture?.kind === "pan") view.set({ span: gesture.span });
    if (fingers.size === 0) gesture = began = undefined;
    view.set({ selection: undefined, isHeld: gesture !== undefined });
  };

  const leave = (event: PointerEvent) => {
    if (gesture === undefined && event.pointerType === "mouse") view.set({ cursor: undefined });
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { span } = view.get();
    began ??= span;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const { width } = element.getBoundingClientRect();
    if (isSideways) show(panned(span, (event.deltaX / width) * (span.to - span.from)));
    else show(zoomed(span, Math.exp(event.deltaY * wheelSpeed), timeAt(placeOf(event))));
    clearTimeout(wheelEnd);
    wheelEnd = setTimeout(() => settle(view.get().span), wheelSettlesMs);
  };

  const reset = () => handlers().onReset();
  const listeners = { pointerdown: begin, pointermove: move, pointerup: end, pointercancel: cancel, pointerleave: leave, dblclick: reset };
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener as EventListener);
  element.addEventListener("wheel", wheel, { passive: false });
  return () => {
    clearTimeout(wheelEnd);
    for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener as EventListener);
    element.removeEventListener("wheel", wheel);
  };
}

/** A pointer that is made by a test cannot be held. */
function capture(element: HTMLElement, pointer: number): void {
  try {
    element.setPointerCapture(pointer);
  } catch {
    return;
  }
}
